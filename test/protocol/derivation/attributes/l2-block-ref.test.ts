import { describe, expect, test } from 'vitest';
import { concat } from '../../../../src/protocol/bytes.ts';
import { encodeDeposit } from '../../../../src/protocol/codec/deposit.ts';
import { l1AttributesDeposit } from '../../../../src/protocol/codec/l1-attributes-deposit.ts';
import { outputRoot } from '../../../../src/protocol/codec/output-root.ts';
import { l2BlockRef } from '../../../../src/protocol/derivation/attributes/l2-block-ref.ts';
import { ZERO_HASH } from '../../../../src/protocol/execution/constants.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { packedL1Attributes } from '../../../../src/protocol/rules/l1-attributes/packed.ts';
import { NO_L1_BLOCK_INFO } from '../../../../src/protocol/rules/l1-attributes/reader.ts';
import type { Hex, RollupConfig } from '../../../../src/protocol/types.ts';

const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const;
const genesis = {
  l1: { hash: hashOf('1'), number: 7 },
  l2: { hash: hashOf('2'), number: 0 },
  l2_time: 100,
} as RollupConfig['genesis'];
const info = { ...NO_L1_BLOCK_INFO, number: 9, hash: hashOf('9'), sequenceNumber: 3 };
const opening = bytesToHex(encodeDeposit(l1AttributesDeposit(info, packedL1Attributes)));
const block = {
  blockHash: hashOf('4'),
  blockNumber: 5,
  parentHash: hashOf('3'),
  timestamp: 110n,
  transactions: [opening],
};

describe('reference to an L2 block', () => {
  test('reads L1 origin and sequence number from the first deposit', () => {
    expect(l2BlockRef(block, genesis)).toEqual({
      hash: hashOf('4'),
      number: 5,
      parentHash: hashOf('3'),
      timestamp: 110,
      l1origin: { hash: hashOf('9'), number: 9 },
      sequenceNumber: 3,
    });
  });

  test('takes those of the genesis block from the rollup config', () => {
    const first = { ...block, blockHash: hashOf('2'), blockNumber: 0, transactions: [] };
    expect(l2BlockRef(first, genesis)).toMatchObject({ l1origin: genesis.l1, sequenceNumber: 0 });
  });

  const invalid = { code: 'payload-invalid', data: { field: 'transactions' } };
  test.each([
    ['another genesis block', { ...block, blockNumber: 0 }, invalid],
    ['a block without transactions', { ...block, transactions: [] }, invalid],
    ['a block that does not begin with a deposit', { ...block, transactions: ['0x02c0' as const] }, invalid],
    ['a deposit that cannot be read', { ...block, transactions: ['0x7ec0' as const] }, { code: 'rlp-malformed' }],
  ])('rejects %s', (_, content, fault) => {
    expect(() => l2BlockRef(content, genesis)).toThrow(
      expect.objectContaining({ name: 'ProtocolError', handling: 'drop', ...fault }),
    );
  });

  test('rejects a block below a genesis block of another number, and reads one above it', () => {
    const late = { ...genesis, l2: { hash: hashOf('2'), number: 4 } };
    expect(l2BlockRef({ ...block, transactions: ['0x7E'.concat(opening.slice(4)) as Hex] }, late)).toMatchObject({
      l1origin: { number: 9 },
    });
    expect(l2BlockRef({ ...block, blockHash: hashOf('2'), blockNumber: 4 }, late)).toMatchObject({ sequenceNumber: 0 });
    expect(() => l2BlockRef({ ...block, blockHash: hashOf('2'), blockNumber: 3 }, late)).toThrow(
      expect.objectContaining(invalid),
    );
  });
});

test('output root commits to version, state, withdrawals and block', () => {
  const [state, storage, hash] = [hashOf('a'), hashOf('b'), hashOf('c')];
  expect(outputRoot(state, storage, hash)).toBe(
    keccak256(concat(...[ZERO_HASH, state, storage, hash].map((part) => hexToBytes(part)))),
  );
});
