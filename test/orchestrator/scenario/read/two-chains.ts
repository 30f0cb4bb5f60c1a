import type { ChainView, Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { fixturePlan, type TaskOptions } from '../../supervisor/fixture-plan.ts';

const ADDRESS = `0x${'11'.repeat(20)}` as const;

/** Genesis of the network, Unix seconds. */
export const GENESIS = 1_700_000_000;

/** A plan of the chains `main` (nodes a and b, a batcher and a proposer) and `other` (node c, neither). */
export function twoChains(more: Partial<ChainView> = {}, others: Readonly<Record<string, TaskOptions>> = {}): Plan {
  const plan = fixturePlan('/home', 'two', [{ port: 1 }, { port: 2 }]);
  const [chain] = plan.network.chains;
  const [first, second] = chain!.nodes;
  const tasks = fixturePlan('/home', 'two', [], {
    'main/a/el': { kind: 'el' },
    'main/a/cl': { kind: 'cl' },
    'main/b/el': { kind: 'el' },
    'main/b/cl': { kind: 'cl', ports: [{ name: 'metrics', host: '127.0.0.1', port: 7, transport: 'tcp' }] },
    'main/batcher': {},
    'main/proposer': { kind: 'proposer' },
    'other/c/el': { kind: 'el' },
    'other/c/cl': { kind: 'cl' },
    ...others,
  }).tasks;
  const nodeOf = (name: string, task: string, base: typeof first) => ({
    ...base!,
    name,
    el: { ...base!.el, task: `${task}/el` },
    cl: { ...base!.cl, task: `${task}/cl` },
  });
  const main: ChainView = {
    ...chain!,
    blockTime: 2,
    nodes: [nodeOf('a', 'main/a', first), { ...nodeOf('b', 'main/b', second), overrides: { isthmus: null } }],
    forks: { granite: 0, holocene: GENESIS, isthmus: GENESIS + 21, jovian: null },
    accounts: [
      { address: ADDRESS, privateKey: `0x${'0'.repeat(63)}1` },
      { address: ADDRESS, privateKey: `0x${'0'.repeat(63)}2` },
      { address: ADDRESS, privateKey: `0x${'0'.repeat(63)}3`, role: 'owner' },
      { address: ADDRESS, role: 'funded' },
    ],
    batcher: { task: 'main/batcher' },
    proposer: { task: 'main/proposer' },
    ...more,
  };
  const other: ChainView = {
    ...chain!,
    name: 'other',
    nodes: [nodeOf('c', 'other/c', first)],
    forks: { granite: 0 },
    accounts: [],
  };
  return { ...plan, genesisTime: GENESIS, tasks, network: { ...plan.network, chains: [main, other] } };
}
