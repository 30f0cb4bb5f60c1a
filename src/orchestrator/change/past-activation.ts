import { taskOf } from '../plan/lookup.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { blockAt, isoTime } from '../status/forks.ts';
import { type MovedForks, movedForks, placeOf } from '../status/moved-forks.ts';

/** A node whose fork times a new plan changes. */
export interface MovedNode {
  /** `<chain>/<node>` */
  readonly node: string;
  /** URL of its execution client. */
  readonly http: string;
  /** Its execution client in the new plan. */
  readonly task: Task;
  readonly moved: MovedForks;
  /** The last block whose rules stay the same. */
  readonly block: number;
  readonly activation: (time: number) => number;
}

/** A block of a node, its time in Unix seconds. */
export interface HeadOf {
  readonly number: number;
  readonly time: number;
}

/** Returns the fork times that a new plan changes on a node; undefined if it changes none. */
export function movedNode(before: Plan, after: Plan, chainName: string, nodeName: string): MovedNode | undefined {
  const moved = movedForks(before, after, chainName, nodeName);
  if (moved === undefined) return undefined;
  const { chain, node } = placeOf(before, chainName, nodeName);
  const activation = (time: number) => blockAt(time, before.genesisTime, chain.blockTime);
  return {
    node: `${chain.name}/${node.name}`,
    http: node.el.http,
    task: taskOf(after, node.el.task),
    moved,
    block: activation(moved.since) - 1,
    activation,
  };
}

/** Whether devnet can take the node back to an earlier block. */
export function canRewind({ task }: MovedNode): boolean {
  return task.rewind !== undefined && task.launch === 'spawn';
}

/** Lists the moved forks with both times, for messages. */
export function movedText({ moved, activation }: MovedNode): string {
  const at = (time: number | null) => (time === null ? 'never' : `${isoTime(time)} (block ${activation(time)})`);
  return moved.forks.map(({ fork, was, is }) => `${fork} from ${at(was)} to ${at(is)}`).join(', ');
}

/** Describes a head, for messages. */
export function headText({ number, time }: HeadOf): string {
  return `block ${number} at ${isoTime(time)}`;
}
