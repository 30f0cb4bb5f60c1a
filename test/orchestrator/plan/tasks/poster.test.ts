import { describe, expect, it } from 'vitest';
import { clientsWith, optionOf, quickPlanOf, task } from '../planned.ts';
import { ownPoster } from './own-poster.ts';

const planOfPoster = (kind: 'batcher' | 'proposer', keys = '', chain = '') =>
  quickPlanOf(
    `l1: { blockTime: 2 }\nchains: { main: { ${chain} ${kind}: { runtime: process, ${keys} } } }`,
    {},
    clientsWith(kind, ownPoster(kind)),
  );

describe('a poster', () => {
  it.each(['batcher', 'proposer'] as const)('of the kind %s has its key, its needs and its place', (kind) => {
    const plan = planOfPoster(kind);
    const planned = task(plan, `main/${kind}`);
    const path = `/state/my-devnet/nodes/main/${kind}-key.hex`;
    const file = plan.files.find((each) => each.path === path);
    const key = file?.content.kind === 'text' ? file.content.text : '';
    expect(file).toEqual({ path, mode: 0o600, secret: true, content: { kind: 'text', text: key } });
    expect(key).toMatch(/^0x[0-9a-f]{64}\n$/);
    expect(planned).toMatchObject({
      chain: 'main',
      secrets: [key.trim()],
      reads: [path],
      needs: [
        { task: 'l1', until: 'ready' },
        { task: 'l1-beacon', until: 'spawned' },
        { task: 'main/sequencer/el', until: 'ready' },
        { task: 'main/sequencer/cl', until: 'spawned' },
      ],
      command: { env: { KEY: key.trim() } },
      onExit: 'fail',
    });
    expect(planned).not.toHaveProperty('node');
    expect(optionOf(planned, 'key')).toBe(path);
    expect(planned.late).toBe(kind === 'proposer' ? true : undefined);
    // Its address is that of a port with the name rpc.
    expect(plan.network.chains[0]![kind]).toEqual({ task: `main/${kind}` });
    expect(quickPlanOf('{}').network.chains[0]![kind]).toEqual({
      task: `main/${kind}`,
      rpc: `http://127.0.0.1:${kind === 'batcher' ? 9540 : 9541}`,
    });
  });

  it('is absent if the spec has none', () => {
    const plan = quickPlanOf('chains: { main: { batcher: false, proposer: false } }');
    expect(plan.tasks.map(({ kind }) => kind).filter((kind) => ['batcher', 'proposer'].includes(kind))).toEqual([]);
    expect(plan.network.chains[0]).not.toHaveProperty('batcher');
    expect(plan.network.chains[0]).not.toHaveProperty('proposer');
    expect(plan.files.map(({ path }) => path).filter((path) => /(batcher|proposer)/.test(path))).toEqual([]);
  });

  it.each<['batcher' | 'proposer', string, number | undefined]>([
    // The longest of 3 blocks of 2 s, one minute, and ten seconds.
    ['batcher', '', 60_000],
    ['batcher', 'args: { every: 8s }', 10_000],
    ['batcher', 'args: { every: 0s, blocks: 6 }', 12_000],
    ['batcher', 'args: { every: null, blocks: 3 }', 10_000],
    ['batcher', 'args: { every: soon, blocks: 7 }', 14_000],
    ['batcher', 'args: { every: null, blocks: null }', undefined],
    ['batcher', 'args: { every: null, blocks: 0 }', undefined],
    ['proposer', 'args: { every: null, blocks: null }, interval: 30', 30_000],
    ['proposer', 'interval: 100', 100_000],
    ['proposer', 'system: dispute-games, interval: 61', 61_000],
  ])('of the kind %s with %j posts every %s ms', (kind, keys, paceMs) => {
    expect(task(planOfPoster(kind, keys), `main/${kind}`).paceMs).toBe(paceMs);
  });

  it.each<['batcher' | 'proposer', string, true | undefined]>([
    ['proposer', '', undefined],
    ['proposer', 'args: { safe: null }', true],
    ['proposer', 'args: { safe: false }', true],
    ['batcher', 'args: { safe: null }', undefined],
  ])('of the kind %s with %j posts finalized blocks: %s', (kind, keys, finalized) => {
    expect(task(planOfPoster(kind, keys), `main/${kind}`).postsFinalized).toBe(finalized);
  });

  it('without a pace in its template posts finalized blocks, at the interval of the spec', () => {
    const bare = ownPoster('proposer').replace(/^pace: .*$/m, '');
    const planned = task(
      quickPlanOf(
        'chains: { main: { proposer: { runtime: process, interval: 30 } } }',
        {},
        clientsWith('proposer', bare),
      ),
      'main/proposer',
    );
    expect([planned.paceMs, planned.postsFinalized]).toEqual([30_000, true]);
  });

  it.each([
    ['base: delta', '1'],
    ['base: canyon', '0'],
    ['base: canyon, delta: +20s', '0'],
  ])('of the forks %s writes batches of the type %s', (forks, type) => {
    const plan = quickPlanOf(`chains: { main: { forks: { ${forks} }, batcher: { da: calldata } } }`);
    expect(optionOf(task(plan, 'main/batcher'), 'batch-type')).toBe(type);
    expect(optionOf(task(plan, 'main/batcher'), 'data-availability-type')).toBe('calldata');
  });
});
