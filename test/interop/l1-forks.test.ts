import { expect, it } from 'vitest';
import { placeOf } from './clients.ts';

/** Limit (ms) of the network. */
const TEST_TIMEOUT_MS = 400_000;

const geth = placeOf('geth');
const lodestar = placeOf('lodestar');
const absent = [geth, lodestar].filter((one) => typeof one === 'string');
const title =
  'the scenario of forks of L1 passes on geth with lodestar, which crosses prague, osaka and bpo1 with blobs';

if (typeof geth === 'string' || typeof lodestar === 'string') it.skip(`${title} (${absent.join('; ')})`, () => {});
else
  it(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const { Home } = await import('../e2e/devnet.ts');
    await using home = new Home();
    const values = { ...prefixed('l1', geth.launch), ...prefixed('l1.beacon', lodestar.launch) };
    const set = Object.entries(values).flatMap(([path, value]) => ['--set', `${path}=${JSON.stringify(value)}`]);
    const { code, stdout, stderr } = await home.devnet('run', 'l1-forks', ...set);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout + stderr).toContain('l1-forks passed: 12 of 12 steps passed');
  });

/** Names the values of a client's launch by their paths in a spec. */
function prefixed(path: string, launch: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(launch).map(([key, value]) => [`${path}.${key}`, value]));
}
