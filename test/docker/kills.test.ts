import { expect, it, vi } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { docker, leftInDocker, NO_DOCKER } from './support.ts';

const folderOf = (home: Home) => home.env['DEVNET_HOME'] ?? '';
/** The bound of the promise: containers and networks are gone this long after their supervisor. */
const GONE = { timeout: 15_000, interval: 100 };

it.skipIf(NO_DOCKER !== undefined)(
  'a supervisor that is killed while it starts, runs or tears down leaves nothing',
  async () => {
    await using home = new Home();
    const supervisor = async () =>
      (await home.json<readonly { readonly pid: number | null }[]>('ls')).find(({ pid }) => pid !== null)?.pid ?? null;
    const left = () => leftInDocker(folderOf(home));

    const starting = home.start('up', 'default', '--runtime', 'docker', '-n', 'killed', '--ready-budget', '3m');
    await expect.poll(() => left().length).toBeGreaterThan(3);
    process.kill((await supervisor())!, 'SIGKILL');
    await new Promise((resolve) => starting.once('close', resolve));
    await vi.waitFor(() => expect(left()).toEqual([]), GONE);

    await home.up('default', '--runtime', 'docker', '-n', 'killed', '--ready-budget', '3m');
    process.kill((await supervisor())!, 'SIGKILL');
    await vi.waitFor(() => expect(left()).toEqual([]), GONE);
    expect((await home.devnet('down', 'killed')).code).toBe(0);

    await home.up('default', '--runtime', 'docker', '-n', 'killed', '--ready-budget', '3m');
    const pid = (await supervisor())!;
    const ending = home.start('down', 'killed');
    await expect.poll(() => left().length).toBeLessThan(10);
    process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => ending.once('close', resolve));
    await vi.waitFor(() => expect(left()).toEqual([]), GONE);
  },
);

it.skipIf(NO_DOCKER !== undefined)(
  'a container that is removed from outside ends the network, with its name',
  async () => {
    await using home = new Home();
    const up = home.start('up', 'default', '--runtime', 'docker', '-n', 'lost', '--ready-budget', '3m');
    let said = '';
    up.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await expect.poll(() => said, { timeout: 200_000 }).toContain('lost is ready');
    const name = leftInDocker(folderOf(home))
      .find((line) => line.endsWith('main-verifier-el'))
      ?.split(' ')[1];
    docker('rm', '-f', name ?? '');
    expect(await new Promise((resolve) => up.once('close', resolve))).toBe(1);
    expect(said).toMatch(/main\/verifier\/el.* was ended by SIGKILL/);
    expect(leftInDocker(folderOf(home))).toEqual([]);
  },
);
