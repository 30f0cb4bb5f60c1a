import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import {
  decodeRawSpanBatch,
  encodeRawSpanBatch,
  rawSpanBatchOf,
  spanBatchOf,
} from '../../../../src/protocol/codec/span/batch.ts';
import { encodeBits, encodeUvarint, SpanReader } from '../../../../src/protocol/codec/span/reader.ts';
import { joinTransactions, splitTransactions } from '../../../../src/protocol/codec/span/transactions.ts';
import { isProtocolError } from '../../../../src/protocol/errors.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';

const chain = { genesisTime: 1000, blockTime: 2, chainId: 901 };
const account = privateKeyToAccount(`0x${'46'.repeat(32)}`);
const to = `0x${'35'.repeat(20)}` as const;
const common = { nonce: 9, gas: 21_000n, value: 1n } as const;
const legacy = await account.signTransaction({ ...common, type: 'legacy', gasPrice: 2n, chainId: 901, to });
const unprotected = await account.signTransaction({ ...common, type: 'legacy', gasPrice: 2n, to });
const creation = await account.signTransaction({ ...common, type: 'legacy', gasPrice: 2n, chainId: 901, data: '0x60' });
const dynamic = await account.signTransaction({ ...common, type: 'eip1559', maxFeePerGas: 2n, chainId: 901, to });

const malformed = (field: string) =>
  expect.objectContaining({ code: 'batch-malformed', handling: 'drop', data: { field } });
const reader = (...bytes: readonly number[]) => new SpanReader(Uint8Array.from(bytes));

describe('fields of a span batch', () => {
  test.each([0n, 1n, 127n, 128n, 255n, 16_384n, 2n ** 63n, 2n ** 64n - 1n])('varint %s round trips', (value) => {
    const bytes = encodeUvarint(value);
    expect(bytes.length).toBe(Math.max(1, Math.ceil(value.toString(2).length / 7)));
    expect(new SpanReader(bytes).uvarint('x')).toBe(value);
  });

  test('varints end within 64 bits', () => {
    const full = Array.from({ length: 9 }, () => 0xff);
    expect(reader(...full, 1).uvarint('x')).toBe(2n ** 64n - 1n);
    expect(() => reader(...full, 2).uvarint('x')).toThrow(malformed('x'));
    const zeros = Array.from({ length: 9 }, () => 0x80);
    expect(reader(...zeros, 1).uvarint('x')).toBe(2n ** 63n);
    expect(() => reader(...zeros, 2).uvarint('x')).toThrow(malformed('x'));
    expect(() => reader(...full, 0x81, 0).uvarint('x')).toThrow(malformed('x'));
    expect(() => reader(0x80).uvarint('x')).toThrow(malformed('x'));
    expect(() => reader().uvarint('x')).toThrow(malformed('x'));
  });

  test('counts end at ten million', () => {
    expect(new SpanReader(encodeUvarint(10_000_000)).count('x')).toBe(10_000_000);
    expect(() => new SpanReader(encodeUvarint(10_000_001)).count('x')).toThrow(malformed('x'));
  });

  test('bits are in as few bytes as they need, the first one lowest', () => {
    expect(encodeBits([true, false, false, true, false, false, false, false, true])).toEqual(Uint8Array.of(1, 9));
    expect(reader(1, 9).bits(9, 'x')).toEqual([true, false, false, true, false, false, false, false, true]);
    expect(reader(0xff).bits(8, 'x')).toEqual(Array.from({ length: 8 }, () => true));
    expect(() => reader(2, 9).bits(9, 'x')).toThrow(malformed('x'));
    expect(() => reader(1).bits(9, 'x')).toThrow(malformed('x'));
    expect(reader().bits(0, 'x')).toEqual([]);
  });

  test('data of a transaction is a list, behind its type', () => {
    const after = (...bytes: readonly number[]) => [...reader(...bytes, 7).transactionData('x')];
    expect(after(0xc1, 5)).toEqual([0xc1, 5]);
    expect(after(2, 0xc1, 5)).toEqual([2, 0xc1, 5]);
    for (const bytes of [[], [0x80], [2, 0x80], [2, 5]] as const)
      expect(() => reader(...bytes).transactionData('x')).toThrow(malformed('x'));
    expect(() => reader(2).transactionData('x')).toThrow(expect.objectContaining({ code: 'rlp-malformed' }));
  });

  test('bytes are taken one after another, and counted', () => {
    const three = reader(1, 2, 3);
    expect([[...three.take(2, 'x')], three.left]).toEqual([[1, 2], 1]);
    expect(() => three.take(2, 'x')).toThrow(malformed('x'));
    expect([[...three.take(1, 'x')], three.left]).toEqual([[3], 0]);
  });
});

describe('a span batch', () => {
  const parentHash = `0x${'11'.repeat(32)}` as const;
  const blocks = [
    { parentHash, epochNum: 3, epochHash: parentHash, timestamp: 1010, transactions: [legacy, dynamic] },
    { parentHash, epochNum: 3, epochHash: parentHash, timestamp: 1012, transactions: [unprotected, creation] },
  ];
  const contentOf = () => encodeRawSpanBatch(rawSpanBatchOf(blocks, false, chain)).subarray(1);

  test('that is cut off is refused by the field in which it ends', () => {
    const content = contentOf();
    const fields = Array.from({ length: content.length }, (_, size) => {
      try {
        decodeRawSpanBatch(content.subarray(0, size));
        return 'none';
      } catch (error) {
        return isProtocolError(error, 'batch-malformed') ? error.data.field : 'the data of a transaction';
      }
    });
    expect([...new Set(fields)]).toEqual([
      ...['rel_timestamp', 'l1_origin_num', 'parent_check', 'l1_origin_check', 'block_count', 'origin_bits'],
      ...['block_tx_counts', 'contract_creation_bits', 'y_parity_bits', 'tx_sigs', 'tx_tos', 'tx_datas'],
      ...['the data of a transaction', 'tx_nonces', 'tx_gases', 'protected_bits'],
    ]);
  });

  test('has at least one block, and at most ten million transactions', () => {
    const head = [10, 3, ...new Uint8Array(40)];
    const decode =
      (...bytes: readonly number[]) =>
      () =>
        decodeRawSpanBatch(Uint8Array.of(...head, ...bytes));
    expect(decode(0)).toThrow(malformed('block_count'));
    const [most, one] = [[...encodeUvarint(10_000_000)], [1]];
    expect(decode(2, 0, ...most, ...one)).toThrow(malformed('block_tx_counts'));
    // The transactions themselves are missing.
    expect(decode(2, 0, ...most, 0)).toThrow(malformed('contract_creation_bits'));
  });

  test('gives back the transactions that it was made of', () => {
    expect(spanBatchOf(decodeRawSpanBatch(contentOf()), chain).blocks.map(({ transactions }) => transactions)).toEqual([
      [legacy, dynamic],
      [unprotected, creation],
    ]);
  });

  const split = (transaction: `0x${string}`, chainId = 901n) => splitTransactions([hexToBytes(transaction)], chainId);

  test('holds transactions of its own chain alone', () => {
    expect(() => split(legacy, 902n)).toThrow(malformed('y_parity_bits'));
    expect(() => split(dynamic, 902n)).toThrow(malformed('tx_datas'));
    expect(split(unprotected, 902n).protection).toEqual([false]);
    expect([split(legacy).protection, split(dynamic).protection]).toEqual([[true], []]);
    expect([split(creation).recipients, split(legacy).recipients.length]).toEqual([[], 1]);
  });

  test('holds no blobs, no deposits and nothing without a type', () => {
    for (const transaction of ['0x03c0', '0x7ec0', '0x'] as const)
      expect(() => split(transaction)).toThrow(malformed('tx_datas'));
  });

  test('is refused with data of another type, and with a creation of EIP-7702', () => {
    const columns = split(dynamic);
    const withType = (type: number) => ({ ...columns, data: [Uint8Array.of(type, ...columns.data[0]!.subarray(1))] });
    for (const type of [3, 5, 0x7e])
      expect(() => joinTransactions(withType(type), 901n)).toThrow(malformed('tx_datas'));
    expect(() => joinTransactions({ ...withType(4), contractCreation: [true] }, 901n)).toThrow(
      malformed('contract_creation_bits'),
    );
    expect(() => joinTransactions({ ...columns, data: [new Uint8Array(0)] }, 901n)).toThrow(malformed('tx_datas'));
  });

  test('gives back unprotected transactions with either parity of their signature', async () => {
    const signed = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((nonce) =>
        account.signTransaction({ ...common, nonce, type: 'legacy', gasPrice: 2n, to }),
      ),
    );
    const columns = splitTransactions(signed.map(hexToBytes), 901n);
    expect(new Set(columns.yParity)).toEqual(new Set([false, true]));
    expect(columns.protection).toEqual(signed.map(() => false));
    expect(joinTransactions(columns, 901n)).toEqual(signed.map(hexToBytes));
  });

  test.each([
    ['signatures', 'signature'],
    ['nonces', 'nonce'],
    ['gases', 'gas limit'],
    ['recipients', 'recipient'],
  ] as const)('that lacks the column of %s is no batch: the error names the %s', (column, name) => {
    expect(() => joinTransactions({ ...split(dynamic), [column]: [] }, 901n)).toThrow(name);
  });
});
