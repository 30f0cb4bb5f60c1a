import { sameHex } from '../../hex.ts';
import type { BlockId, L1BlockRef, L2BlockRef } from '../../types.ts';
import { blockRefOf } from '../attributes/block-ref.ts';
import { DerivationError } from '../error.ts';
import type { L1Chain, L2Chain, Rollup } from '../ports.ts';

/**
 * The heads of an L2 chain (op-node: `FindHeadsResult`, kona: `L2ForkchoiceState`).
 * Specification: Finding the sync starting point.
 */
export interface SyncStart {
  /** Highest block whose own and whose ancestors' L1 origins are canonical, or not yet known to L1. */
  readonly unsafe: L2BlockRef;
  /**
   * Highest block that is certainly derived from canonical L1 data: a sequencing window behind, or the finalized block.
   */
  readonly safe: L2BlockRef;
  readonly finalized: L2BlockRef;
}

/**
 * Finds the heads from which a rollup node continues (op-node: `FindL2Heads`, kona: `find_starting_forkchoice`).
 * Walks back from the unsafe head until the L1 origins of a whole sequencing window are canonical. Rejects if a port
 * does.
 * @throws DerivationError (fatal) if engine, L1 and configuration are of different chains, or if a finalized
 * block would have to go (also after an L1 reorg below its origin), (retry) if L1 or L2 changed during the walk
 */
export async function findSyncStart(
  rollup: Rollup,
  l1: Pick<L1Chain, 'headerByNumber' | 'headerByHash'>,
  l2: Pick<L2Chain, 'payloadByHash'>,
  heads: SyncStart,
): Promise<SyncStart> {
  const { finalized } = heads;
  if (heads.unsafe.number < heads.safe.number || heads.unsafe.number < finalized.number) {
    return { unsafe: heads.unsafe, safe: heads.unsafe, finalized: heads.unsafe };
  }

  const origins = originReader(l1);
  let unsafe: L2BlockRef | null = heads.unsafe;
  /** Highest block from which on the walk found only canonical origins. */
  let canonical: L2BlockRef | null = null;

  for (let block = heads.unsafe; ; ) {
    const origin = await origins.at(block);
    checkAnchors(rollup, block, origin, finalized);
    if (block.number === finalized.number && origin !== null && origin.hash !== block.l1origin.hash)
      throw finalityBroken(block.l1origin, origin, finalized);

    unsafe ??= block;
    if (origin === null) canonical = null;
    else if (origin.hash === block.l1origin.hash) canonical ??= block;
    else {
      unsafe = null;
      canonical = null;
    }

    if (block.number === finalized.number) return { unsafe: unsafe ?? block, safe: block, finalized };
    const windowSeen = canonical !== null && block.l1origin.number + lookback(rollup) < canonical.l1origin.number;
    const parent = await parentOf(rollup, l2, block);
    if (windowSeen && block.number <= heads.safe.number && block.sequenceNumber === 0) {
      return { unsafe: unsafe ?? parent, safe: parent, finalized };
    }
    block = parent;
  }
}

/**
 * Returns how many L1 blocks behind the head L2 may change without an L1 reorg (op-node: `SyncLookback`).
 * That is the sequencing window; with alternative DA, the challenge windows.
 */
function lookback({ config: { alt_da: da, seq_window_size: window } }: Rollup): number {
  return Math.max(window, da ? da.da_challenge_window + da.da_resolve_window : 0);
}

/**
 * Reads the canonical L1 block at a block's origin, following parent hashes while they fit. Null if L1 is shorter.
 */
function originReader(l1: Pick<L1Chain, 'headerByNumber' | 'headerByHash'>) {
  let last: L1BlockRef | null = null;
  return {
    async at({ l1origin }: L2BlockRef): Promise<L1BlockRef | null> {
      if (last?.hash === l1origin.hash) return last;
      last =
        last?.parentHash === l1origin.hash
          ? await l1.headerByHash(l1origin.hash)
          : await l1.headerByNumber(l1origin.number);
      return last;
    },
  };
}

function checkAnchors(rollup: Rollup, block: L2BlockRef, origin: L1BlockRef | null, finalized: L2BlockRef): void {
  const { l1, l2 } = rollup.config.genesis;
  if (block.number === l2.number) {
    if (!sameHex(block.hash, l2.hash)) throw wrongChain('L2', block.hash, l2.hash);
    if (origin !== null && !sameHex(origin.hash, l1.hash)) throw wrongChain('L1', origin.hash, l1.hash);
  }
  if (block.number === finalized.number && block.hash !== finalized.hash) {
    throw new DerivationError(
      'fatal',
      `the engine's chain has ${block.hash} at ${block.number}, where ${finalized.hash} is final`,
    );
  }
}

async function parentOf(rollup: Rollup, l2: Pick<L2Chain, 'payloadByHash'>, block: L2BlockRef): Promise<L2BlockRef> {
  const payload = await l2.payloadByHash(block.parentHash);
  if (payload !== null) return blockRefOf(rollup, payload.executionPayload);
  throw new DerivationError(
    'retry',
    `the engine does not have ${block.parentHash}, parent of L2 block ${block.number}`,
  );
}

/** Creates the error for an L1 reorg below the L1 block that made an L2 block final. */
export function finalityBroken(previous: BlockId, current: BlockId, finalized: L2BlockRef): DerivationError {
  return new DerivationError(
    'fatal',
    `L1 was reorganised below its finality: L1 block ${previous.number} was final as ${previous.hash} ` +
      `and is ${current.hash} now, ` +
      `L2 is final up to block ${finalized.number} (${finalized.hash}) because of it. ` +
      'Delete the data of this node and of its execution client to follow the new L1 chain',
  );
}

function wrongChain(which: string, actual: string, expected: string): DerivationError {
  return new DerivationError(
    'fatal',
    `${which} genesis is ${actual}, the rollup configuration says ${expected}: they are of different chains`,
  );
}
