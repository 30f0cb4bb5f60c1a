import fc from 'fast-check';
import { serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SingularBatch } from '../../../src/protocol/codec/singular-batch.ts';
import {
  encodeRawSpanBatch,
  type RawSpanBatch,
  rawSpanBatchOf,
  spanBatchOf,
} from '../../../src/protocol/codec/span/batch.ts';
import { encodeBits, encodeUvarint, SpanReader } from '../../../src/protocol/codec/span/reader.ts';
import { decodeBatch } from '../../../src/protocol/derivation/batch/batch-data.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { hash } from '../arbitrary.ts';

const chain = { genesisTime: 1000, blockTime: 2, chainId: 901 };
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const to = `0x${'ab'.repeat(20)}` as const;
const accessList = [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }] as const;
let pool: Hex[] = [];

beforeAll(async () => {
  const base = { nonce: 7, gas: 21_000n, value: 5n, data: '0xc0ffee' } as const;
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0n };
  const authorization = await account.signAuthorization({ chainId: 901, address: to, nonce: 8 });
  pool = await Promise.all([
    account.signTransaction({ ...base, type: 'legacy', gasPrice: 10n ** 9n, to, chainId: 901 }),
    account.signTransaction({ ...base, type: 'legacy', gasPrice: 0n, to }),
    account.signTransaction({ ...base, type: 'legacy', gasPrice: 1n, chainId: 901, nonce: 0 }),
    account.signTransaction({ ...base, type: 'eip2930', gasPrice: 3n, to, chainId: 901, accessList: [...accessList] }),
    account.signTransaction({ ...base, ...fees, type: 'eip1559', to, chainId: 901 }),
    account.signTransaction({
      ...base,
      ...fees,
      type: 'eip1559',
      chainId: 901,
      accessList: [...accessList],
      nonce: 300_000,
    }),
    account.signTransaction({
      ...base,
      ...fees,
      type: 'eip7702',
      to,
      chainId: 901,
      authorizationList: [authorization],
    }),
  ]);
  // RLP has no leading zeros, a span batch has all 32 bytes.
  const signature = { r: `0x0000${'ab'.repeat(30)}`, s: `0x00${'cd'.repeat(31)}`, yParity: 1 } as const;
  pool.push(serializeTransaction({ ...base, ...fees, type: 'eip1559', to, chainId: 901 }, signature));
});

/** Consecutive blocks whose L1 origin advances by at most one each. */
const blocks = fc
  .array(fc.tuple(fc.boolean(), fc.array(fc.nat(7), { maxLength: 4 }), hash), { minLength: 1, maxLength: 20 })
  .map((list) => {
    let epochNum = 50;
    return list.map(([advances, picks, parentHash], index): SingularBatch => {
      if (advances && index > 0) epochNum++;
      const timestamp = 1010 + index * chain.blockTime;
      return { parentHash, epochNum, epochHash: parentHash, timestamp, transactions: picks.map((pick) => pool[pick]!) };
    });
  });

const decodeSpan = (encoded: Uint8Array): RawSpanBatch => {
  const decoded = decodeBatch(encoded);
  if (decoded.kind !== 'span') throw new Error('not a span batch');
  return decoded.batch;
};

describe('span batch', () => {
  test('holds blocks with transactions of every type', () => {
    fc.assert(
      fc.property(blocks, fc.boolean(), (list, originChanged) => {
        const raw = decodeSpan(encodeRawSpanBatch(rawSpanBatchOf(list, originChanged, chain)));
        expect(raw.originBits[0]).toBe(originChanged);
        expect(spanBatchOf(raw, chain)).toEqual({
          parentCheck: list[0]!.parentHash.slice(0, 42),
          l1OriginCheck: list.at(-1)!.epochHash.slice(0, 42),
          blocks: list.map(({ epochNum, timestamp, transactions }) => ({ epochNum, timestamp, transactions })),
        });
      }),
    );
  });

  test('decodes to the same blocks with a changed or missing byte, or is dropped', () => {
    const batch = { parentHash: `0x${'11'.repeat(32)}`, epochNum: 3, epochHash: `0x${'22'.repeat(32)}` } as const;
    const encoded = encodeRawSpanBatch(
      rawSpanBatchOf([{ ...batch, timestamp: 1000, transactions: pool }], true, chain),
    );
    fc.assert(
      fc.property(fc.nat(encoded.length - 1), fc.nat(255), fc.boolean(), (at, value, cut) => {
        const broken = cut ? encoded.slice(0, at) : encoded.slice();
        if (!cut) broken[at] = value;
        try {
          const decoded = decodeBatch(broken);
          if (decoded.kind === 'span') spanBatchOf(decoded.batch, chain);
          expect(cut).toBe(false);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ProtocolError', handling: 'drop' });
        }
      }),
      { numRuns: 300 },
    );
  });

  const block = {
    parentHash: `0x${'11'.repeat(32)}`,
    epochNum: 3,
    epochHash: `0x${'22'.repeat(32)}`,
    timestamp: 1000,
    transactions: [],
  } as const;

  test('refuses transactions of another chain', () => {
    const other = { ...chain, chainId: 10 };
    for (const index of [0, 4]) {
      expect(() => rawSpanBatchOf([{ ...block, transactions: [pool[index]!] }], true, other)).toThrow(
        expect.objectContaining({ code: 'batch-malformed' }),
      );
    }
  });

  test.each<[string, Hex]>([
    ['a deposit', '0x7ec0'],
    ['a blob transaction', '0x03c0'],
    ['an empty transaction', '0x'],
  ])('refuses a transaction that is %s', (_, transaction) => {
    expect(() => rawSpanBatchOf([{ ...block, transactions: [transaction] }], true, chain)).toThrow(
      /cannot stand in a batch/,
    );
  });

  test('wraps numbers at 64 bits', () => {
    const [block] = [{ parentHash: `0x${'11'.repeat(32)}`, epochNum: 5, epochHash: `0x${'22'.repeat(32)}` }] as const;
    const raw = rawSpanBatchOf([{ ...block, timestamp: 1010, transactions: [] }], true, chain);
    const far: RawSpanBatch = { ...raw, relTimestamp: 2n ** 64n - 20n, l1OriginNum: 2n ** 64n - 1n };
    expect(decodeBatch(encodeRawSpanBatch(far))).toEqual({ kind: 'span', batch: far });
    expect(spanBatchOf(far, chain).blocks).toEqual([{ timestamp: 980, epochNum: 2 ** 64, transactions: [] }]);
  });

  test('refuses a gap between blocks, and an empty list', () => {
    const refused = (field: string, message: string) =>
      expect.objectContaining({ code: 'batch-malformed', data: { field }, message: expect.stringContaining(message) });
    expect(() => rawSpanBatchOf([block, { ...block, timestamp: 1004 }], true, chain)).toThrow(
      refused('rel_timestamp', 'block 1 is at 1004, expected 1002'),
    );
    expect(() => rawSpanBatchOf([], true, chain)).toThrow(refused('block_count', 'at least one block'));
  });

  test.each([
    ['no blocks', `0x01${'00'.repeat(42)}00`],
    ['more blocks than allowed', `0x01${'00'.repeat(42)}81ade204`],
    ['a bit beyond the last block', `0x01${'00'.repeat(42)}010200`],
    ['a varint of more than 64 bits', `0x01${'ff'.repeat(11)}`],
  ])('is dropped for %s', (_, encoded) => {
    expect(() => decodeBatch(hexToBytes(encoded))).toThrow(
      expect.objectContaining({ code: 'batch-malformed', handling: 'drop' }),
    );
  });
});

describe('span batch fields', () => {
  test('round trip as varints and bit lists', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.array(fc.boolean(), { maxLength: 40 }),
        (value, bits) => {
          expect(new SpanReader(encodeUvarint(value)).uvarint('x')).toBe(value);
          expect(new SpanReader(encodeBits(bits)).bits(bits.length, 'x')).toEqual(bits);
        },
      ),
    );
    expect(encodeBits([true, ...Array<boolean>(8).fill(false)])).toEqual(Uint8Array.of(0, 1));
    expect(encodeUvarint(300)).toEqual(Uint8Array.of(0xac, 2));
  });
});
