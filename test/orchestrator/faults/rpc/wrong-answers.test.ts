import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeReceipt } from '../../../../src/nodes/rpc-types/receipt.ts';
import { StaleAnswers, withoutBlob, wrongReceipts } from '../../../../src/orchestrator/faults/rpc/wrong-answers.ts';
import { orderedTrieRoot } from '../../../../src/protocol/codec/trie.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((each): Hex => bytesToHex(each));

const log = fc.record({ address: bytes(20), topics: fc.array(bytes(32), { maxLength: 4 }), data: bytes(32) });

const receipt = fc.record({
  type: fc.constantFrom('0x0', '0x2'),
  status: fc.constantFrom('0x0', '0x1'),
  cumulativeGasUsed: fc.nat().map((gas): Hex => `0x${gas.toString(16)}`),
  logsBloom: bytes(256),
  logs: fc.array(log, { maxLength: 3 }),
});

const receipts = fc.array(receipt, { minLength: 1, maxLength: 5 });

type Receipts = readonly Parameters<typeof encodeReceipt>[0][];

const rootOf = (list: readonly Uint8Array[]) => bytesToHex(orderedTrieRoot(list));

it('a wrong receipt changes the receipts root, and as many receipts are answered', () => {
  fc.assert(
    fc.property(receipts, (list) => {
      const wrong = wrongReceipts(list) as Receipts;
      expect(wrong).toHaveLength(list.length);
      expect(rootOf(wrong.map(encodeReceipt))).not.toBe(rootOf(list.map(encodeReceipt)));
    }),
  );
});

it('a wrong receipt in its consensus encoding changes the receipts root', () => {
  fc.assert(
    fc.property(receipts, (list) => {
      const raw = list.map((each) => bytesToHex(encodeReceipt(each)));
      const wrong = wrongReceipts(raw) as readonly Hex[];
      expect(rootOf(wrong.map(hexToBytes))).not.toBe(rootOf(raw.map(hexToBytes)));
    }),
  );
});

it('an answer without a receipt or a blob stays', () => {
  for (const answer of [null, [], 'x'].filter((each) => each !== 'x')) expect(wrongReceipts(answer)).toEqual(answer);
  expect(withoutBlob({ data: [] })).toEqual({ data: [] });
  expect(withoutBlob({ code: 404 })).toEqual({ code: 404 });
});

it('an answer of the beacon node lacks its last blob', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (data) => {
      expect(withoutBlob({ version: 'x', data })).toEqual({ version: 'x', data: data.slice(0, -1) });
    }),
  );
});

it('a stale answer is the first one to each request, and a failure is asked for again', async () => {
  const stale = new StaleAnswers();
  let count = 0;
  const next = async () => ++count;
  const fail = () => Promise.reject(new Error('no answer'));
  await expect(stale.to('a', fail)).rejects.toThrow('no answer');
  expect([await stale.to('a', next), await stale.to('b', next), await stale.to('a', next)]).toEqual([1, 2, 1]);
});
