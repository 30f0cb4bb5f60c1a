import { describe, expect, it } from 'vitest';
import { createChallenges } from '../../../../src/protocol/derivation/alt-da/challenges.ts';
import { type DaCommitment, keccakCommitment } from '../../../../src/protocol/derivation/da-commitment.ts';
import type { BlockId } from '../../../../src/protocol/types.ts';

const WINDOWS = { challenge: 10, resolve: 20 };
const A = keccakCommitment(Uint8Array.of(1));
const B = keccakCommitment(Uint8Array.of(2));
const INPUT = Uint8Array.of(1);
const block = (number: number): BlockId => ({ number, hash: `0x${number.toString(16).padStart(64, '0')}` });

/** Challenges with a challenge against `A` in block 100, from block 105. */
function challenged(commitment: DaCommitment = A) {
  const challenges = createChallenges(WINDOWS);
  challenges.open(commitment, 100, 105);
  return challenges;
}

describe('a challenge', () => {
  it('is against one inclusion of a commitment, and ends after the resolve window', () => {
    const challenges = challenged();
    expect(challenges.of(A, 100)).toEqual({ status: 'active', resolveEnd: 125 });
    expect([challenges.of(A, 101), challenges.of(B, 100)]).toEqual([undefined, undefined]);
  });

  it('is resolved with its data, and only if it is known', () => {
    const challenges = challenged();
    challenges.resolve(A, 100, INPUT);
    challenges.resolve(B, 100, INPUT);
    expect(challenges.of(A, 100)).toEqual({ status: 'resolved', resolveEnd: 125, input: INPUT });
    expect(challenges.of(B, 100)).toBeUndefined();
  });

  it('expires at the end of its window, not before', () => {
    const challenges = challenged();
    challenges.expire(124);
    expect(challenges.of(A, 100)?.status).toBe('active');
    challenges.expire(125);
    expect(challenges.of(A, 100)).toEqual({ status: 'expired', resolveEnd: 125 });
  });

  it('does not expire once it is resolved', () => {
    const challenges = challenged();
    challenges.resolve(A, 100, INPUT);
    challenges.expire(999);
    expect(challenges.of(A, 100)?.status).toBe('resolved');
  });
});

describe('a commitment that derivation used', () => {
  it('is settled at the end of the challenge window, and is not lost without a challenge', () => {
    const challenges = createChallenges(WINDOWS);
    challenges.track(A, block(100));
    challenges.track(B, block(101));
    expect([challenges.settle(109), challenges.prune(200)]).toEqual([false, undefined]);
    expect([challenges.settle(110), challenges.prune(200)]).toEqual([false, block(100)]);
    expect([challenges.settle(111), challenges.prune(200)]).toEqual([false, block(101)]);
  });

  it.each<[string, (challenges: ReturnType<typeof challenged>) => void, boolean]>([
    ['that was not resolved', (challenges) => challenges.expire(125), true],
    ['that is active still', () => undefined, true],
    ['that was resolved', (challenges) => challenges.resolve(A, 100, INPUT), false],
  ])('with a challenge %s is settled at the end of the resolve window', (_, change, isLost) => {
    const challenges = challenged();
    challenges.track(A, block(100));
    change(challenges);
    expect([challenges.settle(124), challenges.prune(124)]).toEqual([false, undefined]);
    expect(challenges.settle(125)).toBe(isLost);
    expect(challenges.settle(999)).toBe(false);
  });

  it('is lost, whatever is settled after it', () => {
    const challenges = challenged();
    challenges.track(A, block(100));
    challenges.track(B, block(101));
    expect(challenges.settle(125)).toBe(true);
  });

  it('is settled after those before it', () => {
    const challenges = challenged();
    challenges.track(A, block(100));
    challenges.track(B, block(101));
    challenges.settle(124);
    expect(challenges.prune(999)).toBeUndefined();
  });

  it('is tracked once for each inclusion', () => {
    const challenges = createChallenges(WINDOWS);
    for (const number of [100, 100, 101]) challenges.track(A, block(number));
    challenges.settle(110);
    expect(challenges.prune(110)).toEqual(block(100));
    expect(challenges.isEmpty()).toBe(false);
    challenges.settle(111);
    challenges.prune(111);
    expect(challenges.isEmpty()).toBe(true);
  });
});

describe('a finalized block', () => {
  it('drops the settled commitments whose windows were over, and names the last one’s block ever after', () => {
    const challenges = createChallenges(WINDOWS);
    challenges.track(A, block(100));
    challenges.track(B, block(101));
    challenges.settle(200);
    expect([109, 110, 110, 111, 111].map((number) => challenges.prune(number)?.number)).toEqual([
      undefined,
      100,
      100,
      101,
      101,
    ]);
  });

  it('drops challenges that have ended, and no active one', () => {
    const challenges = challenged();
    challenges.prune(999);
    expect(challenges.of(A, 100)?.status).toBe('active');
    challenges.expire(125);
    challenges.prune(124);
    expect(challenges.of(A, 100)?.status).toBe('expired');
    challenges.prune(125);
    expect(challenges.of(A, 100)).toBeUndefined();
  });
});

describe('a set of challenges', () => {
  it('is empty without a challenge, a commitment and a settled one', () => {
    const challenges = createChallenges(WINDOWS);
    expect(challenges.isEmpty()).toBe(true);
    challenges.track(A, block(100));
    expect(challenges.isEmpty()).toBe(false);
    challenges.settle(110);
    expect(challenges.isEmpty()).toBe(false);
    challenges.prune(110);
    expect(challenges.isEmpty()).toBe(true);
    expect(challenged().isEmpty()).toBe(false);
  });

  it('drops commitments when it is cleared, and challenges only with all', () => {
    const challenges = challenged();
    challenges.track(A, block(100));
    challenges.track(B, block(101));
    challenges.settle(125);
    challenges.track(B, block(120));
    challenges.clear(false);
    expect([challenges.settle(999), challenges.prune(124)]).toEqual([false, undefined]);
    expect(challenges.of(A, 100)).toBeDefined();
    challenges.clear(true);
    expect(challenges.isEmpty()).toBe(true);
  });
});
