import type { FollowedNode } from '../../../../src/orchestrator/divergence/watch/followed-node.ts';
import { RollupHeads } from '../../../../src/orchestrator/divergence/watch/rollup-heads.ts';
import { BlockWindow } from '../../../../src/orchestrator/health/gauge/head-window.ts';

/** A node whose blocks have these hashes by number, the last one its head. A block `-` is not known. */
export function node(name: string, hashes: string, reference = false): FollowedNode {
  const window = new BlockWindow();
  const blocks = [...hashes].flatMap((hash, number) => (hash === '-' ? [] : [{ number, hash }]));
  const head = blocks.at(-1);
  if (head !== undefined) window.observe({ ...head, time: 0 }, blocks, new Set());
  return { name, reference, window, rollup: new RollupHeads(), answers: 1, safe: 0, moved: 0 };
}
