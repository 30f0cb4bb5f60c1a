import type { Values } from '../../template/references.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import type { PlannedFile } from '../plan.ts';
import type { NodeIdentity } from './node-identity.ts';

/** A chain whose processes are planned. */
export interface ChainContext extends PlanContext {
  readonly chain: PlannedChain;
  readonly nodes: readonly NodeIdentity[];
  /** Tasks of its sequencer. */
  readonly sequencer: TaskIds;
  /** The references that all its processes may use. */
  readonly values: Values;
  /** Files that exist for all its processes. */
  readonly files: readonly PlannedFile[];
}

/** Ids of the tasks of a node. */
export interface TaskIds {
  readonly el: string;
  readonly cl: string;
}

/** Returns the ids of a node's tasks. */
export function taskIds(chain: string, node: string): TaskIds {
  return { el: `${chain}/${node}/el`, cl: `${chain}/${node}/cl` };
}
