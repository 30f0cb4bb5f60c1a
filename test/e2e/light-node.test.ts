import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home, node, type Status } from './devnet.ts';

const SPEC = {
  version: 1,
  name: 'light',
  ports: 'auto',
  l1: { blockTime: 1 },
  chains: {
    main: {
      blockTime: 1,
      proposer: false,
      nodes: { sequencer: { role: 'sequencer' }, source: {}, light: { cl: { follow: 'source' } } },
    },
  },
};

interface Problem {
  readonly subject: string;
  readonly what: string;
  readonly because: string | null;
}

describe('a light node', () => {
  let home: Home;
  beforeAll(async () => {
    home = new Home();
    await home.up(home.spec('light', SPEC));
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const wait = async (condition: string) =>
    expect(await home.devnet('wait', condition, '@light', '--timeout', '300s')).toMatchObject({ code: 0 });

  it('--l2.follow.source: has the safe and finalized heads of its source, and unsafe blocks by gossip', async () => {
    await wait('finalized:2');
    await home.agrees();
    // It reads no batch from L1.
    const log = await home.devnet('logs', 'light.cl');
    expect(log.stdout).toContain('heads found');
    expect(log.stdout).not.toContain('cannot follow');
  });

  it('keeps its heads while its source is away, says so, and goes on with it', async () => {
    expect(await home.devnet('node', 'stop', 'source.cl')).toMatchObject({ code: 0 });
    const before = node(await home.status(), 'light').heads;
    const problem = async () => {
      const { problems } = await home.json<{ problems: readonly Problem[] }>('status');
      return problems.find(({ subject }) => subject === 'main/light/cl');
    };
    await expect.poll(problem, { timeout: 120_000 }).toMatchObject({
      what: expect.stringContaining('safe head has stopped'),
      because: 'main/source/cl: is stopped',
    });
    const now = node(await home.status(), 'light').heads;
    expect(now.unsafe!.number).toBeGreaterThan(before.unsafe!.number);
    expect(now.safe!.number).toBeLessThanOrEqual(before.safe!.number + 2);
    expect(await home.devnet('node', 'start', 'source.cl')).toMatchObject({ code: 0 });
    await wait(`safe:${now.unsafe!.number + 1}`);
    await expect.poll(async () => (await home.json<Status>('status')).phase, { timeout: 120_000 }).toBe('ready');
  });

  it('starts over from an empty data folder, genesis included', async () => {
    const { safe } = node(await home.status(), 'light').heads;
    expect(await home.devnet('node', 'reset', 'light')).toMatchObject({ code: 0 });
    await wait(`safe:${safe!.number + 1}`);
    await home.agrees();
  });

  it('follows another light node, and none of a chain of them can be removed but the last', async () => {
    expect(await home.devnet('node', 'add', 'lighter', '--follow', 'light')).toMatchObject({ code: 0 });
    expect(await home.devnet('wait', 'safe:3', '@lighter', '--timeout', '300s')).toMatchObject({ code: 0 });
    const refused = await home.devnet('node', 'remove', 'light');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('main/lighter follows main/light') });
    const moved = await home.devnet('sequencer', 'move', 'light');
    expect(moved).toMatchObject({ code: 2, stderr: expect.stringContaining('main/light follows source') });
    expect(await home.devnet('node', 'remove', 'lighter')).toMatchObject({ code: 0 });
  });
});
