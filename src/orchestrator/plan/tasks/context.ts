import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import type { TaskIds } from '../lookup.ts';
import type { PlannedFile } from '../plan.ts';
import type { NodeIdentity } from './node-identity.ts';
import type { ValuesFor } from './values.ts';

/** A chain whose processes are planned. */
export interface ChainContext extends PlanContext {
  readonly chain: PlannedChain;
  readonly nodes: readonly NodeIdentity[];
  /** Tasks of its sequencer. */
  readonly sequencer: TaskIds;
  /** The references that all its processes may use. */
  readonly values: ValuesFor;
  /** Files that exist for all its processes. */
  readonly files: readonly PlannedFile[];
}
