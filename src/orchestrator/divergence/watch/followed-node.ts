import type { BlockWindow } from '../../health/gauge/head-window.ts';
import type { NodeBlocks } from '../compare.ts';
import type { RollupHeads } from './rollup-heads.ts';

/** What is known of a node whose heads are followed. */
export interface FollowedNode {
  readonly name: string;
  /** Whether it stands for the chain if there is no majority: the sequencer. */
  readonly reference: boolean;
  window: BlockWindow;
  rollup: RollupHeads;
  answers: number;
  /** Its safe block's number. */
  safe: number;
  /** When its head last moved. */
  moved: number;
}

/** Heights between two bounds that are requested at once. */
const SEARCH_FANOUT = 15;

/** Returns what is compared of a node: the hashes of its blocks. */
export function blocksOf({ name, reference, window }: FollowedNode): NodeBlocks {
  return { name, reference, blocks: new Map([...window.hashes].map(([number, hash]) => [number, { hash }])) };
}

/** Returns the newest height at which all nodes have one hash; -1 if none is known. */
export function newestCommon(nodes: readonly FollowedNode[]): number {
  const [first, ...others] = nodes;
  if (first === undefined || others.length === 0) return -1;
  const equal = [...first.window.hashes].filter(([number, hash]) =>
    others.every(({ window }) => window.hashes.get(number) === hash),
  );
  return Math.max(-1, ...equal.map(([number]) => number));
}

/** Returns the newest height below `block` at which both have one hash. */
export function lastEqual(a: FollowedNode, b: FollowedNode, block: number): number | undefined {
  const equal = [...a.window.hashes].filter(([number, hash]) => number < block && b.window.hashes.get(number) === hash);
  return equal.length === 0 ? undefined : Math.max(...equal.map(([number]) => number));
}

/** Returns up to {@link SEARCH_FANOUT} heights strictly between two, evenly spaced. */
export function heightsBetween(low: number, high: number): number[] {
  const gap = high - low;
  const parts = Math.min(SEARCH_FANOUT + 1, gap);
  return Array.from({ length: parts - 1 }, (_, at) => low + Math.ceil((gap * (at + 1)) / parts));
}
