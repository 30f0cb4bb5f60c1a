import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { differing, manifestOf } from '../../../src/orchestrator/snapshots/manifest.ts';

type Times = Record<string, number | null>;

/** The parts of a plan that a snapshot depends on, with fork times of the chain and of its verifier. */
const plan = (forks: Times, overrides: Times = {}) =>
  ({
    ...{ devnet: 'moved', genesisTime: 1000, time: { clock: 'wall' }, tasks: [], files: [] },
    network: {
      l1: { genesisHash: '0x01' },
      chains: [{ name: 'main', genesisHash: '0x02', forks, nodes: [{ name: 'verifier', overrides }] }],
    },
  }) as unknown as Plan;

describe('a snapshot and a network differ', () => {
  const BEFORE = { canyon: 1000, karst: 1060, lagoon: null };

  it.each<[string, Plan, string | undefined]>([
    ['in nothing', plan(BEFORE), undefined],
    ['in nothing where a fork was moved and moved back', plan({ karst: 1060, canyon: 1000, lagoon: null }), undefined],
    [
      'in a fork that was moved',
      plan({ ...BEFORE, karst: null }),
      'karst of main: 1060 in the snapshot, never in the network',
    ],
    [
      'in an override',
      plan(BEFORE, { karst: 1080 }),
      'karst of main/verifier: absent in the snapshot, 1080 in the network',
    ],
  ])('%s', (_, network, expected) => expect(differing(manifestOf(plan(BEFORE), '', 0), network)).toBe(expected));
});
