import type { Hex, L1Header, L2BlockRef, SystemConfig } from '../types.ts';
import { blockRefOf } from './block-ref.ts';
import { DerivationError } from './error.ts';
import type { Ports, Rollup } from './ports.ts';
import { systemConfigOfBlock } from './system-config.ts';

/** The L1 block at which L1 traversal begins, and the system config in force there. */
export interface PipelineStart {
  readonly origin: L1Header;
  readonly systemConfig: SystemConfig;
}

/**
 * Finds the L1 origin at which the pipeline starts for the child of the safe head (op-node: `initialReset`).
 * It is so far back that no channel opened before it can hold data for that child. Rejects where a port does.
 * Specification: Resetting the Pipeline.
 * @throws DerivationError (reset) where L1 lacks an origin, (retry) where L2 lacks a block
 */
export async function findPipelineStart(
  rollup: Rollup,
  { l1, l2 }: Pick<Ports, 'l1' | 'l2'>,
  safeHead: L2BlockRef,
): Promise<PipelineStart> {
  const { genesis } = rollup.config;
  const payloadOf = async (hash: Hex) => {
    const envelope = await l2.payloadByHash(hash);
    if (envelope === null) throw new DerivationError('retry', `the engine does not have L2 block ${hash}`);
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
  for (;;) {
    const timeout = rollup.rulesAt(origin.timestamp).channels.timeout(rollup.config);
    const isOldEnough = block.l1origin.number + timeout <= safeHead.l1origin.number;
    if (isOldEnough || block.number <= genesis.l2.number || block.l1origin.number <= genesis.l1.number) break;
    payload = await payloadOf(block.parentHash);
    block = blockRefOf(rollup, payload);
    if (block.l1origin.hash !== origin.hash) origin = await headerOf(block);
  }
  return { origin, systemConfig: systemConfigOfBlock(rollup, payload) };
}
