import type { DaCommitment } from '../../codec/da-commitment.ts';
import type { BlockId } from '../../types.ts';

/** The windows of the challenge contract, in L1 blocks. */
export interface ChallengeWindows {
  /** During which a commitment may be challenged after its inclusion. */
  readonly challenge: number;
  /** During which a challenge may be resolved. */
  readonly resolve: number;
}

/** A challenge against one inclusion of a commitment. */
export interface Challenge {
  readonly status: 'active' | 'resolved' | 'expired';
  /** L1 block from which on an unresolved challenge has expired. */
  readonly resolveEnd: number;
  /** The data, where it was resolved on L1. */
  readonly input?: Uint8Array;
}

interface Tracked {
  readonly key: string;
  readonly inclusion: BlockId;
}

/**
 * Used commitments and the challenges against them, up to the L1 block read last (specification: alt-da, Derivation).
 */
export interface Challenges {
  /** The challenge against a commitment of an L1 block. */
  of(commitment: DaCommitment, blockNumber: number): Challenge | undefined;
  /** The contract took a challenge in the L1 block of number `at`. */
  open(commitment: DaCommitment, blockNumber: number, at: number): void;
  /** The contract took the data of a challenge that it knew; others are ignored. */
  resolve(commitment: DaCommitment, blockNumber: number, input: Uint8Array | undefined): void;
  /** Challenges that were not resolved by the L1 block of number `at` expire. */
  expire(at: number): void;
  /** Notes that derivation used a commitment. */
  track(commitment: DaCommitment, inclusion: BlockId): void;
  /**
   * Settles the commitments whose windows are over at an L1 block.
   * Returns true where one of them lost its challenge: what was derived from it must go.
   */
  settle(at: number): boolean;
  /**
   * Drops what is settled before a finalized L1 block.
   * Returns the newest L1 block whose commitments can no longer be lost.
   */
  prune(finalized: number): BlockId | undefined;
  /** Nothing is tracked. */
  isEmpty(): boolean;
  /** Forgets commitments, and with `all` the challenges too. */
  clear(all: boolean): void;
}

const keyOf = ({ encoded }: DaCommitment, blockNumber: number) => `${blockNumber}:${encoded}`;

/** Knows none. */
export function createChallenges(windows: ChallengeWindows): Challenges {
  const challenges = new Map<string, Challenge>();
  let pending: Tracked[] = [];
  let settled: Tracked[] = [];
  let lastPruned: BlockId | undefined;

  const endOf = ({ key, inclusion }: Tracked) =>
    challenges.get(key)?.resolveEnd ?? inclusion.number + windows.challenge;

  return {
    of: (commitment, blockNumber) => challenges.get(keyOf(commitment, blockNumber)),
    open(commitment, blockNumber, at) {
      challenges.set(keyOf(commitment, blockNumber), { status: 'active', resolveEnd: at + windows.resolve });
    },
    resolve(commitment, blockNumber, input) {
      const key = keyOf(commitment, blockNumber);
      const known = challenges.get(key);
      if (known) challenges.set(key, { ...known, status: 'resolved', ...(input && { input }) });
    },
    expire(at) {
      for (const [key, challenge] of challenges) {
        if (challenge.status === 'active' && challenge.resolveEnd <= at)
          challenges.set(key, { ...challenge, status: 'expired' });
      }
    },
    track(commitment, inclusion) {
      const key = keyOf(commitment, inclusion.number);
      if (pending.every((tracked) => tracked.key !== key)) pending.push({ key, inclusion });
    },
    settle(at) {
      let isLost = false;
      for (let first = pending[0]; first !== undefined && endOf(first) <= at; first = pending[0]) {
        const challenge = challenges.get(first.key);
        isLost ||= challenge !== undefined && challenge.status !== 'resolved';
        settled.push(first);
        pending = pending.slice(1);
      }
      return isLost;
    },
    prune(finalized) {
      for (let first = settled[0]; first !== undefined && endOf(first) <= finalized; first = settled[0]) {
        lastPruned = first.inclusion;
        settled = settled.slice(1);
      }
      for (const [key, { status, resolveEnd }] of challenges)
        if (status !== 'active' && resolveEnd <= finalized) challenges.delete(key);
      return lastPruned;
    },
    isEmpty: () => challenges.size === 0 && pending.length === 0 && settled.length === 0,
    clear(all) {
      pending = [];
      settled = [];
      if (all) challenges.clear();
    },
  };
}
