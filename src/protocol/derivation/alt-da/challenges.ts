import type { BlockId } from '../../types.ts';
import type { DaCommitment } from '../da-commitment.ts';

/** The windows of the challenge contract, in L1 blocks. */
export interface ChallengeWindows {
  /** During which a commitment may be challenged after its inclusion. */
  readonly challenge: number;
  /** During which a challenge may be resolved. */
  readonly resolve: number;
}

/** A challenge against one inclusion of a commitment (op-alt-da: `Challenge`). */
export interface Challenge {
  readonly status: 'active' | 'resolved' | 'expired';
  /** L1 block from which an unresolved challenge has expired. */
  readonly resolveEnd: number;
  /** The data, if it was resolved on L1. */
  readonly input?: Uint8Array;
}

interface Tracked {
  readonly key: string;
  readonly inclusion: BlockId;
}

/**
 * Used commitments and the challenges against them, up to the L1 block read last (op-alt-da: `State`).
 * Specification: alt-da, Derivation.
 */
export interface Challenges {
  /** Returns the challenge against a commitment of an L1 block (op-alt-da: `GetChallenge`). */
  of(commitment: DaCommitment, blockNumber: number): Challenge | undefined;
  /** Adds a challenge that the contract accepted in the L1 block of number `at` (op-alt-da: `CreateChallenge`). */
  open(commitment: DaCommitment, blockNumber: number, at: number): void;
  /** Resolves a known challenge with its data; others are ignored (op-alt-da: `ResolveChallenge`). */
  resolve(commitment: DaCommitment, blockNumber: number, input: Uint8Array): void;
  /** Expires challenges that were not resolved by the L1 block of number `at` (op-alt-da: `ExpireChallenges`). */
  expire(at: number): void;
  /** Records that derivation used a commitment (op-alt-da: `TrackCommitment`). */
  track(commitment: DaCommitment, inclusion: BlockId): void;
  /**
   * Settles the commitments whose windows are over at an L1 block (op-alt-da: `ExpireCommitments`).
   * Returns true if a challenge against one of them expired unresolved. Blocks derived from that commitment are then
   * invalid.
   */
  settle(at: number): boolean;
  /**
   * Drops settled commitments and challenges before a finalized L1 block (op-alt-da: `Prune`).
   * Returns the newest L1 block whose commitments can no longer lose a challenge.
   */
  prune(finalized: number): BlockId | undefined;
  /** Tells whether no commitment or challenge is tracked (op-alt-da: `NoCommitments`). */
  isEmpty(): boolean;
  /** Drops all commitments, and with `all` the challenges too (op-alt-da: `ClearCommitments`, `Reset`). */
  clear(all: boolean): void;
}

const keyOf = ({ encoded }: DaCommitment, blockNumber: number) => `${blockNumber}:${encoded}`;

/** Creates an empty set of commitments and challenges. */
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
      const challenge = challenges.get(key);
      if (challenge) challenges.set(key, { ...challenge, status: 'resolved', input });
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
