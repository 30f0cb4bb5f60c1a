import { afterEach, describe, expect, it } from 'vitest';
import { l1HeaderOf, l1Reader, l1ReceiptOf } from '../../../../src/orchestrator/divergence/explain/l1.ts';
import { type AnsweringNode, answeringNode } from '../../dashboard/rpc-answers.ts';
import { word } from './blocks.ts';

const HEADER = {
  ...{ hash: word('a'), number: '0x7', parentHash: word('b'), timestamp: '0x64', mixHash: word('c') },
  baseFeePerGas: '0x3b9aca00',
};
const READ = {
  ...{ hash: word('a'), number: 7, parentHash: word('b'), timestamp: 100, mixHash: word('c') },
  baseFeePerGas: 1_000_000_000n,
};
const LOG = { address: `0x${'1'.repeat(40)}`, topics: [word('d').toUpperCase().replace('X', 'x')], data: '0x01' };
const RECEIPT = { transactionHash: word('e'), status: '0x1', logs: [{ ...LOG, logIndex: '0x3' }] };
const READ_RECEIPT = {
  ...{ transactionHash: word('e'), status: true, logs: [{ ...LOG, topics: [word('d')], logIndex: 3 }] },
};

let node: AnsweringNode | undefined;
afterEach(() => node?.close());

describe('the L1 of a derivation', () => {
  it('has headers by hash, without transactions', async () => {
    const requests: unknown[] = [];
    node = await answeringNode((method, params) => {
      requests.push([method, params]);
      return params[0] === word('a') ? HEADER : null;
    });
    const reader = l1Reader(node.url);
    expect(await reader.headerByHash(word('a'))).toEqual(READ);
    expect(await reader.headerByHash(word('b'))).toBeNull();
    expect(requests).toEqual([word('a'), word('b')].map((hash) => ['eth_getBlockByHash', [hash, false]]));
  });

  it('has the receipts of a block by its hash', async () => {
    const requests: unknown[] = [];
    node = await answeringNode((method, params) => {
      requests.push([method, params]);
      return (params[0] as { blockHash: string }).blockHash === word('a') ? [RECEIPT] : null;
    });
    const reader = l1Reader(node.url);
    expect(await reader.receipts(word('a'))).toEqual([READ_RECEIPT]);
    expect(await reader.receipts(word('b'))).toBeNull();
    expect(requests[0]).toEqual(['eth_getBlockReceipts', [{ blockHash: word('a') }]]);
  });

  it('has the fields of later L1 forks in their headers', () => {
    const later = { parentBeaconBlockRoot: word('1'), requestsHash: word('2') };
    expect(l1HeaderOf({ ...HEADER, excessBlobGas: '0x20000' })).toEqual({ ...READ, excessBlobGas: 131_072 });
    expect(l1HeaderOf({ ...HEADER, ...later })).toEqual({ ...READ, ...later });
  });

  it.each(Object.keys(HEADER))('has no header without %s, and names it', (field) => {
    expect(() => l1HeaderOf({ ...HEADER, [field]: undefined })).toThrow(field);
    expect(() => l1HeaderOf({ ...HEADER, [field]: '0x' })).toThrow(/^L1 block/);
  });

  it('has failed transactions, and no receipt that lacks a field', () => {
    expect(l1ReceiptOf({ ...RECEIPT, status: '0x0' })).toEqual({ ...READ_RECEIPT, status: false });
    for (const field of Object.keys(RECEIPT))
      expect(() => l1ReceiptOf({ ...RECEIPT, [field]: undefined })).toThrow(new RegExp(`^L1 receipt.*${field}`));
    for (const field of ['address', 'topics', 'data', 'logIndex'])
      expect(() => l1ReceiptOf({ ...RECEIPT, logs: [{ ...RECEIPT.logs[0], [field]: undefined }] })).toThrow(
        new RegExp(`^L1 log.*${field}`),
      );
  });
});
