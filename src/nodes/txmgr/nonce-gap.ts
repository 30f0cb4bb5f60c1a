import { present } from '../../protocol/present.ts';
import { TransportError } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import type { Logger } from '../../system/program/log.ts';
import type { L1Backend } from './l1-backend.ts';
import type { PendingTransaction, Publisher, TxCandidate } from './pending-transaction.ts';
import { classifySendError } from './send-error.ts';

/** Finds and fills gaps below the nonces in flight, as a reorganisation of L1 leaves them. */
export interface NonceGap {
  /** Records a confirmed candidate, which a reorganisation may take out of the chain again. */
  confirmed(candidate: TxCandidate, attempts: PendingTransaction, block: number): void;
  /** Forgets the confirmed candidate of a nonce that is used again. */
  reused(nonce: number): void;
  /**
   * Sends confirmed candidates again whose nonces are at or above that of the chain and below `nonce`.
   * Returns whether a nonce between them is free: no candidate of this process can fill it.
   * `isInFlight` tells whether another candidate has a nonce.
   */
  fill(onChain: number, nonce: number, isInFlight: (nonce: number) => boolean, signal: AbortSignal): Promise<boolean>;
}

/** Depth (L1 blocks) below which a reorganisation is not expected: two epochs of L1. */
const MAX_REORG_DEPTH = 64;
/** Bytes of data and blobs that are kept for another sending. */
const MAX_RESEND_BYTES = 8 * 1024 * 1024;

interface Confirmed {
  readonly candidate: TxCandidate;
  readonly attempts: PendingTransaction;
  readonly block: number;
}

/** Creates the search for gaps. A gap that is not filled holds up every later transaction of the account. */
export function nonceGap(l1: Pick<L1Backend, 'knows'>, publisher: Publisher, log: Logger): NonceGap {
  /** Oldest first. */
  const byNonce = new Map<number, Confirmed>();
  let filling = false;

  function prune(head: number): void {
    let bytes = 0;
    for (const { candidate } of byNonce.values()) bytes += bytesOf(candidate);
    for (const [nonce, { candidate, block }] of byNonce) {
      if (bytes <= MAX_RESEND_BYTES && block > head - MAX_REORG_DEPTH) return;
      byNonce.delete(nonce);
      bytes -= bytesOf(candidate);
    }
  }

  /** Sends a confirmed candidate again, unless L1 still has it. It is forgotten if L1 rejects it for good. */
  async function resend(nonce: number, { candidate, attempts, block }: Confirmed, signal: AbortSignal): Promise<void> {
    const hash = present(attempts.hashes.at(-1), 'hash of an attempt');
    try {
      if (await l1.knows(hash)) return;
      log.info('A reorganisation of L1 took out a transaction, sending it again', {
        what: candidate.what,
        nonce,
        hash,
      });
      const again = await publisher.republish(candidate, attempts, signal);
      // The nonce may have been taken by another candidate meanwhile.
      if (byNonce.get(nonce)?.candidate === candidate) byNonce.set(nonce, { candidate, attempts: again, block });
    } catch (error) {
      if (error instanceof TransportError || !(error instanceof RpcError)) throw error;
      const refusal = classifySendError(error.message);
      // Another one has its nonce on the chain, which closes the gap.
      if (refusal === 'nonce-used') return;
      if (refusal === 'busy') throw error;
      log.warn('L1 does not take it again', { what: candidate.what, nonce, error });
      byNonce.delete(nonce);
    }
  }

  return {
    confirmed(candidate, attempts, block) {
      byNonce.delete(attempts.nonce);
      byNonce.set(attempts.nonce, { candidate, attempts, block });
      prune(block);
    },
    reused: (nonce) => void byNonce.delete(nonce),
    async fill(onChain, nonce, isInFlight, signal) {
      // Each candidate in flight finds the same gap.
      if (filling) return false;
      filling = true;
      try {
        let isFree = false;
        for (let below = onChain; below < nonce; below++) {
          if (isInFlight(below)) continue;
          const entry = byNonce.get(below);
          if (entry === undefined) isFree = true;
          else await resend(below, entry, signal);
        }
        return isFree;
      } finally {
        filling = false;
      }
    },
  };
}

function bytesOf({ data, sidecar }: TxCandidate): number {
  return data.length + (sidecar?.blobs ?? []).reduce((sum, blob) => sum + blob.length, 0);
}
