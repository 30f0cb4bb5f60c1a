import { describe, expect, it } from 'vitest';
import { ancestorHash } from '../../../../src/nodes/execution/chain/ancestor-hash.ts';
import type { BlockHeader } from '../../../../src/protocol/codec/header.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { hashOf, PARIS_HEADER } from '../views/sample-block.ts';

/** Canonical blocks 10 to 15 have the hashes 0x10 … 0x15. A branch leaves at 12: 0x23, 0x24 and 0x25. */
const canonical = (number: number): Hex => hashOf(number + 6);
const branch = (number: number): Hex => hashOf(number + 22);
const headers = new Map<Hex, BlockHeader>();
for (let number = 10; number <= 15; number++)
  headers.set(canonical(number), { ...PARIS_HEADER, number, parentHash: canonical(number - 1) });
for (let number = 13; number <= 15; number++)
  headers.set(branch(number), {
    ...PARIS_HEADER,
    number,
    parentHash: number === 13 ? canonical(12) : branch(number - 1),
  });

function ancestor(of: Hex, number: number, steps: Hex[] = []): Uint8Array | undefined {
  const chain = {
    canonicalHash: (at: number) => (at >= 10 && at <= 15 ? canonical(at) : undefined),
    header: (hash: Hex) => {
      steps.push(hash);
      return headers.get(hash);
    },
  };
  return ancestorHash(chain, of, headers.get(of)!, number);
}

describe('the hash of an ancestor', () => {
  it.each<[string, Hex, number, Hex | undefined]>([
    ['a canonical parent itself', canonical(15), 15, canonical(15)],
    ['a canonical parent', canonical(15), 11, canonical(11)],
    ['a parent on a branch itself', branch(15), 15, branch(15)],
    ['a parent on a branch, within it', branch(15), 13, branch(13)],
    ['a parent on a branch, where it begins', branch(15), 12, canonical(12)],
    ['a parent on a branch, before it', branch(15), 10, canonical(10)],
    ['a canonical parent, before the stored blocks', canonical(15), 9, undefined],
    ['a parent on a branch, before the stored blocks', branch(15), 9, undefined],
  ])('is found from %s', (_, parent, number, expected) => {
    expect(ancestor(parent, number)).toEqual(expected === undefined ? undefined : hexToBytes(expected));
  });

  it('is read from the canonical chain as soon as the branch has joined it', () => {
    const steps: Hex[] = [];
    ancestor(branch(14), 10, steps);
    expect(steps).toEqual([branch(13), canonical(12)]);
  });

  it('is unknown when a block of the branch is not stored', () => {
    const chain = { canonicalHash: () => undefined, header: () => undefined };
    expect(ancestorHash(chain, branch(15), headers.get(branch(15))!, 13)).toBeUndefined();
  });
});
