import { describe, expect, it } from 'vitest';
import { GO } from '../../../../src/nodes/execution/flavours/go/index.ts';
import { RUST } from '../../../../src/nodes/execution/flavours/rust/index.ts';
import {
  type BlockTag,
  blockHashParam,
  blockNumberParam,
  blockOf,
  blockParam,
  hashOf,
  headerOf,
} from '../../../../src/nodes/execution/query/block-tag.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { blockOf as blockWith, hashOf as hash, PARIS_HEADER } from '../views/sample-block.ts';

const LOWER: Hex = `0x${'ab'.repeat(32)}`;
const UPPER = `0x${'AB'.repeat(32)}`;

describe('the parameter of a block', () => {
  it.each<[unknown, BlockTag]>([
    ['latest', 'latest'],
    ['pending', 'pending'],
    ['earliest', 'earliest'],
    ['safe', 'safe'],
    ['finalized', 'finalized'],
    ['0x1f', 31],
    [UPPER, { blockHash: LOWER }],
    [{ blockHash: UPPER }, { blockHash: LOWER, requireCanonical: undefined }],
    [
      { blockHash: UPPER, requireCanonical: null },
      { blockHash: LOWER, requireCanonical: undefined },
    ],
    [
      { blockHash: UPPER, requireCanonical: true },
      { blockHash: LOWER, requireCanonical: true },
    ],
    [{ blockNumber: '0x2' }, 2],
    [{ blockNumber: 'safe', requireCanonical: true }, 'safe'],
  ])('%j is read as EIP-1898 says', (given, expected) => {
    expect(blockParam.parse(given)).toEqual(expected);
  });

  it.each([
    [7],
    [''],
    ['newest'],
    ['0x'],
    ['0x01'],
    [`${LOWER}00`],
    [{}],
    [{ blockHash: '0x1' }],
    [{ blockNumber: '0x1', blockHash: LOWER }],
    [{ blockHash: LOWER, requireCanonical: 'yes' }],
    [null],
  ])('%j is refused', (given) => {
    expect(blockParam.safeParse(given).error?.issues).toMatchObject([
      { message: 'expected a block number, tag or hash' },
    ]);
  });

  it('is refused with a key that EIP-1898 does not know', () => {
    for (const given of [{ blockHash: LOWER }, { blockNumber: '0x1' }])
      expect(blockParam.safeParse({ ...given, more: 1 }).success).toBe(false);
  });

  it('may be a number or a tag alone, or a hash alone', () => {
    expect(['0x1f', 'safe'].map((given) => blockNumberParam.parse(given))).toEqual([31, 'safe']);
    expect(blockNumberParam.safeParse('newest').error?.issues).toMatchObject([
      { message: 'expected a block number or tag' },
    ]);
    expect(blockHashParam.parse(UPPER)).toEqual({ blockHash: LOWER });
    expect(blockHashParam.safeParse('latest').success).toBe(false);
  });
});

describe('the block of a tag', () => {
  /** A chain of blocks 0 to 3 with the hashes 0x00 … 0x03, and a side block 0x22. */
  const headers = new Map([0, 1, 2, 3].map((number) => [hash(number), { ...PARIS_HEADER, number }]));
  headers.set(hash(0x22), { ...PARIS_HEADER, number: 2 });
  const chain = {
    genesisHash: hash(0),
    head: { hash: hash(3), header: headers.get(hash(3))! },
    canonicalHash: (number: number) => (number <= 3 ? hash(number) : undefined),
    header: (key: Hex) => headers.get(key),
    isCanonical: (key: Hex) => headers.has(key) && key !== hash(0x22),
    knownBlock: (key: Hex) => ({ ...blockWith([], []), hash: key }),
    labelled: (label: string) => (label === 'safe' ? hash(1) : undefined),
  };
  const go = { chain, flavour: GO };
  const rust = { chain, flavour: RUST };
  const canonical = (blockHash: Hex) => ({ blockHash, requireCanonical: true });

  it.each<[BlockTag, Hex | undefined]>([
    ['latest', hash(3)],
    ['pending', hash(3)],
    ['earliest', hash(0)],
    ['safe', hash(1)],
    [2, hash(2)],
    [4, undefined],
    [{ blockHash: hash(2) }, hash(2)],
    [{ blockHash: hash(0x22) }, hash(0x22)],
    [{ blockHash: hash(0x99) }, undefined],
    [canonical(hash(2)), hash(2)],
    [canonical(hash(0x99)), undefined],
  ])('%j is %s in both flavours', (tag, expected) => {
    expect([hashOf(go, tag), hashOf(rust, tag)]).toEqual([expected, expected]);
    for (const context of [go, rust]) {
      if (expected === undefined) expect(() => blockOf(context, tag)).toThrow('not found');
      else {
        expect(headerOf(context, tag)).toEqual({ hash: expected, header: headers.get(expected) });
        expect(blockOf(context, tag).hash).toBe(expected);
      }
    }
  });

  it('is refused when it must be canonical and is not', () => {
    expect(() => hashOf(go, canonical(hash(0x22)))).toThrow('hash is not currently canonical');
    expect(() => hashOf(rust, canonical(hash(0x22)))).toThrow(`block not found: canonical hash ${hash(0x22)}`);
  });

  it('is an error in op-geth and none in op-reth when its label is not set', () => {
    expect(() => hashOf(go, 'finalized')).toThrow('finalized block not found');
    expect(hashOf(rust, 'finalized')).toBeUndefined();
    expect(() => headerOf(rust, 'finalized')).toThrow('block not found: finalized');
  });
});
