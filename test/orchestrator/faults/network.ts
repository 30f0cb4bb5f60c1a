import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { quickPlanOf } from '../plan/planned.ts';

/** A network with links: a sequencer and two verifiers, one of them with dashes in its name. */
export const three: Plan = quickPlanOf(
  'faults: true\nchains: { main: { nodes: { a: { role: sequencer }, b: {}, late-one: {} } } }',
);

/** Two rollups, each with a node of the same name. */
export const twoChains: Plan = quickPlanOf(
  'faults: true\nchains: { x: { chainId: 1001, nodes: { s: { role: sequencer }, v: {} } }, ' +
    'y: { chainId: 1002, nodes: { s: { role: sequencer }, v: {} } } }',
);
