import type { Hex, L1Header, L2BlockRef, Seconds, SystemConfig } from '../../types.ts';
import { blockRefOf } from '../attributes/block-ref.ts';
import { systemConfigOfBlock } from '../attributes/system-config.ts';
import { DerivationError } from '../error.ts';
import type { Ports, Rollup } from '../ports.ts';

/** The L1 block at which L1 traversal begins, and the system config in force there. */
export interface PipelineStart {
  readonly origin: L1Header;
  readonly systemConfig: SystemConfig;
}

/**
 * Finds the L1 origin at which the pipeline starts for the child of the safe head (op-node: `initialReset`).
 * It is so far back that no channel opened before it can hold data for that child. Rejects if a port does.
 * op-node reads every L2 block on the way; this skips those that cannot be far enough back.
 * Specification: Resetting the Pipeline.
 * @throws DerivationError (reset) if L1 lacks an origin, (retry) if L2 lacks a block
 */
export async function findPipelineStart(
  rollup: Rollup,
  { l1, l2 }: Pick<Ports, 'l1' | 'l2'>,
  safeHead: L2BlockRef,
): Promise<PipelineStart> {
  const { genesis } = rollup.config;
  const timeoutAt = (time: Seconds) => rollup.rulesAt(time).channels.timeout(rollup.config);
  const payloadOf = async (id: Hex | number) => {
    const envelope = await (typeof id === 'number' ? l2.payloadByNumber(id) : l2.payloadByHash(id));
    if (envelope === null) throw new DerivationError('retry', `the engine does not have L2 block ${id}`);
    return envelope.executionPayload;
  };
  const headerOf = async ({ l1origin }: L2BlockRef) => {
    const header = await l1.headerByHash(l1origin.hash);
    if (header !== null) return header;
    throw new DerivationError('reset', `L1 does not have block ${l1origin.number} (${l1origin.hash}), an L1 origin`);
  };

  let payload = await payloadOf(safeHead.hash);
  let block = blockRefOf(rollup, payload);
  let origin = await headerOf(block);
  const safeOrigin = safeHead.l1origin.number;
  // Only one fork changes the timeout.
  const least = Math.min(timeoutAt(genesis.l2_time), timeoutAt(origin.timestamp));
  let hasSkipped = false;
  for (;;) {
    const { number } = block.l1origin;
    const isOldEnough = number + timeoutAt(origin.timestamp) <= safeOrigin;
    if (isOldEnough || block.number <= genesis.l2.number || number <= genesis.l1.number) break;
    // The origin of an L2 block is at most one L1 block ahead of its parent's: no block that is skipped is old enough.
    const back = number + least - safeOrigin;
    hasSkipped ||= back > 1;
    payload = await payloadOf(back > 1 ? Math.max(block.number - back, genesis.l2.number) : block.parentHash);
    block = blockRefOf(rollup, payload);
    if (block.l1origin.hash !== origin.hash) origin = await headerOf(block);
  }
  if (hasSkipped && (await payloadOf(safeHead.number)).blockHash !== safeHead.hash)
    throw new DerivationError('retry', `L2 block ${safeHead.number} is not ${safeHead.hash} in the engine's chain`);
  return { origin, systemConfig: systemConfigOfBlock(rollup, payload) };
}
