import { Bloom } from '@ethereumjs/vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concat } from '../../../src/protocol/bytes.ts';
import {
  encodeLog,
  encodeReceipt,
  FreshLog,
  logsBloom,
  summarizeReceipts,
  takeEncodedLog,
} from '../../../src/protocol/codec/receipt.ts';
import { trieRoot } from '../../../src/protocol/codec/trie.ts';
import { bytesToHex, hexToBytes } from '../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../src/protocol/resumable.ts';
import { address, data, hash } from '../arbitrary.ts';

const BLOOM = '00'.repeat(256);
const deposit = { type: 0x7e, status: true, cumulativeGasUsed: 46_913n, logs: [], depositNonce: 4_012_991n };

test('deposit receipts carry nonce and version from canyon on', () => {
  expect(bytesToHex(encodeReceipt({ ...deposit, depositReceiptVersion: 1 }))).toBe(
    `0x7ef9010d0182b741b90100${BLOOM}c0833d3bbf01`,
  );
});

test('before canyon the nonce stays out of the encoding', () => {
  expect(bytesToHex(encodeReceipt(deposit))).toBe(`0x7ef901080182b741b90100${BLOOM}c0`);
});

test('a legacy receipt with a log, as EIP-2481 spells it but for the bloom', () => {
  const log = {
    address: '0x0000000000000000000000000000000000000011',
    topics: [`0x${'0'.repeat(60)}dead`, `0x${'0'.repeat(60)}beef`],
    data: '0x0100ff',
  } as const;
  const receipt = { type: 0, status: false, cumulativeGasUsed: 1n, logs: [log] };
  const body = [
    'f85ff85d94',
    '0000000000000000000000000000000000000011',
    `f842a0${'0'.repeat(60)}deada0${'0'.repeat(60)}beef`,
    '830100ff',
  ].join('');
  const bloom = bytesToHex(logsBloom([log]));
  expect(bytesToHex(encodeReceipt(receipt))).toBe(`0xf901668001b90100${bloom.slice(2)}${body}`);
  const receiptsRoot = bytesToHex(trieRoot([[Uint8Array.of(0x80), encodeReceipt(receipt)]]));
  expect(runToCompletion(summarizeReceipts([receipt]))).toEqual({ receiptsRoot, logsBloom: bloom });
  expect(encodeReceipt({ ...receipt, type: 2 })).toEqual(concat(Uint8Array.of(2), encodeReceipt(receipt)));
});

test('the bloom is that of an independent implementation', () => {
  const log = fc.record({ address, topics: fc.array(hash, { maxLength: 4 }), data: data(8) });
  fc.assert(
    fc.property(fc.array(log, { maxLength: 5 }), (logs) => {
      const reference = new Bloom();
      for (const value of logs.flatMap((each) => [each.address, ...each.topics])) reference.add(hexToBytes(value));
      expect(logsBloom(logs)).toEqual(reference.bitvector);
    }),
    { numRuns: 30 },
  );
});

const emitter = new Uint8Array(20).fill(0x11);
const topics = [new Uint8Array(32).fill(0xde), new Uint8Array(32).fill(0xbe)];
const payload = Uint8Array.of(1, 0, 255);

/** The same log without its bytes. */
const asHex = { address: bytesToHex(emitter), topics: topics.map(bytesToHex), data: bytesToHex(payload) };

test('a fresh log has the encoding of its hex, also after it was taken', () => {
  const log = new FreshLog(emitter, topics, payload);
  const expected = bytesToHex(encodeLog(asHex));
  expect({ ...log }).toEqual(asHex);
  expect(bytesToHex(encodeLog(log))).toBe(expected);
  expect(bytesToHex(takeEncodedLog(log))).toBe(expected);
  expect(bytesToHex(encodeLog(log))).toBe(expected);
});

test('a fresh log keeps its encoding until it is taken, and another log has none', () => {
  const log = new FreshLog(emitter, topics, payload);
  const encoded = FreshLog.encodingOf(log);
  expect(encoded).toEqual(encodeLog(asHex));
  expect(FreshLog.encodingOf(log)).toBe(encoded);
  expect(takeEncodedLog(log)).toBe(encoded);
  expect([FreshLog.encodingOf(log), FreshLog.encodingOf(asHex)]).toEqual([undefined, undefined]);
  FreshLog.release(asHex);
  expect(FreshLog.encodingOf(asHex)).toBeUndefined();
});

test('the summary of receipts has the bloom of all their logs, and yields after each', () => {
  const receipt = (...logs: readonly (typeof asHex)[]) => ({ type: 2, status: true, cumulativeGasUsed: 1n, logs });
  const second = { ...asHex, topics: [asHex.topics[1]!], address: `0x${'22'.repeat(20)}` as const };
  const receipts = [receipt(asHex), receipt(), receipt(second, asHex)];
  const steps = [...summarizeReceipts(receipts)].length;
  expect(steps).toBeGreaterThanOrEqual(receipts.length);
  const keyed = receipts.map((each, at) => [at === 0 ? Uint8Array.of(0x80) : Uint8Array.of(at), encodeReceipt(each)]);
  expect(runToCompletion(summarizeReceipts(receipts))).toEqual({
    receiptsRoot: bytesToHex(trieRoot(keyed as [Uint8Array, Uint8Array][])),
    logsBloom: bytesToHex(logsBloom([asHex, second])),
  });
});

test('a receipt of another type has no deposit nonce, nor has a deposit without one', () => {
  const { depositNonce: _, ...without } = deposit;
  const version = { depositReceiptVersion: 1 };
  expect(encodeReceipt({ ...without, ...version })).toEqual(encodeReceipt(without));
  expect(encodeReceipt({ ...deposit, ...version, type: 2 })).toEqual(encodeReceipt({ ...without, type: 2 }));
});

test('the encoding of a log names a topic that has not 32 bytes', () => {
  expect(() => encodeLog({ ...asHex, topics: ['0x01'] })).toThrow('32 bytes');
});
