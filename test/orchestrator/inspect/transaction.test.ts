import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Inspector } from '../../../src/orchestrator/inspect/inspector.ts';
import type { Layer } from '../../../src/orchestrator/inspect/layer.ts';
import { readTransaction, transactionRow } from '../../../src/orchestrator/inspect/transaction.ts';
import { rollupConfigTimes } from '../../../src/protocol/forks/index.ts';
import { forksUpTo, INBOX, PORTAL, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { depositLog } from '../../protocol/derivation/scripted/transactions.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';
import { address, l1Layer, l2Layer, SENT_TOPIC, stubInspector, TRANSFER, word } from './inspected.ts';

let node: AnsweringNode | undefined;
afterEach(() => node?.close());

const ROLLUP = testRollup('granite');
const folder = mkdtempSync(join(tmpdir(), 'devnet-transaction-'));
const rollupFile = join(folder, 'rollup.json');
writeFileSync(rollupFile, JSON.stringify({ ...ROLLUP.config, ...rollupConfigTimes(forksUpTo('granite')) }));
afterAll(() => rmSync(folder, { recursive: true }));

const SENT = {
  ...{ hash: word('a'), type: '0x2', transactionIndex: '0x3', nonce: '0x9', gas: '0x7530' },
  ...{ from: address('a'), to: address('B'), value: '0x10', input: TRANSFER },
};
const IN_BLOCK = { ...SENT, blockHash: word('b'), blockNumber: '0x7' };
const HASHES = { blockHash: word('b'), transactionHash: word('a') };
const RECEIPT = { status: '0x1', gasUsed: '0x64', effectiveGasPrice: '0xa', logs: [], ...HASHES };
const DEPOSIT = { ...IN_BLOCK, type: '0x7e', sourceHash: word('5'), nonce: undefined };

describe('a transaction of a block', () => {
  const rowOf = (more: object, receipt: object | null = null) =>
    transactionRow(stubInspector(), l1Layer(''), { ...SENT, ...more }, receipt as never);

  it('has its place, its sides, its call and its outcome', () => {
    expect(rowOf({}, { status: '0x1', gasUsed: '0x5208' })).toEqual({
      ...{ index: 3, hash: word('a'), kind: 'dynamic fee', from: { address: address('a'), name: null } },
      ...{ to: { address: address('b'), name: 'weth' }, value: '16', selector: '0xa9059cbb', inputBytes: 68 },
      call: expect.objectContaining({ name: 'transfer' }),
      ...{ status: 'success', gasUsed: 21_000 },
    });
    expect(rowOf({}, { status: '0x0', gasUsed: '0x1' })).toMatchObject({ status: 'reverted', gasUsed: 1 });
    expect(rowOf({})).toMatchObject({ status: null, gasUsed: null });
    expect(rowOf({ transactionIndex: undefined })).toMatchObject({ index: 0 });
  });

  it.each([
    [undefined, 'legacy'],
    ['0x0', 'legacy'],
    ['0x1', 'access list'],
    ['0x2', 'dynamic fee'],
    ['0x3', 'blob'],
    ['0x4', 'set code'],
    ['0x7e', 'deposit'],
    ['0x9', 'type 9'],
  ])('of the type %s is named %s', (type, kind) => {
    expect(rowOf({ type })).toMatchObject({ kind });
  });

  it('calls nothing when it creates a contract', () => {
    expect(rowOf({ to: null })).toMatchObject({ to: null, call: null, selector: null, inputBytes: 68 });
  });

  it.each([
    ['0x', null, 0],
    ['0x010203', null, 3],
    ['0x01020304', '0x01020304', 4],
    ['0x0102030405', '0x01020304', 5],
  ])('with the input %s has the selector %s', (input, selector, inputBytes) => {
    expect(rowOf({ input })).toMatchObject({ call: null, selector, inputBytes });
  });

  it.each([
    ['transaction', { from: undefined }, null],
    ['receipt', {}, { status: '0x1' }],
  ])('names a field of its %s that is missing', (what, more, receipt) => {
    expect(() => rowOf(more, receipt)).toThrow(new RegExp(`^${what}\\.`));
  });
});

/** Reads a transaction that a client has with this receipt. */
async function read(
  { transaction = IN_BLOCK, receipt = RECEIPT }: { transaction?: object | null; receipt?: object | null },
  layerOf: (url: string) => Layer = l1Layer,
  more: Partial<Inspector> = {},
  traced = false,
) {
  const requests: unknown[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    eth_getTransactionByHash: transaction,
    eth_getTransactionReceipt: receipt,
    eth_getBlockByHash: { timestamp: '0x64', number: '0x7' },
    debug_traceTransaction: { type: 'CALL' },
  };
  node = await answeringNode((method, params) => {
    requests.push([method, ...params]);
    return answers[method];
  });
  const inspector = stubInspector(more);
  return { view: await readTransaction(inspector, layerOf(node.url), word('a'), traced), requests, inspector };
}

describe('a transaction', () => {
  it('is read with its receipt and its block', async () => {
    const { view, requests, inspector } = await read({});
    expect(view).toMatchObject({
      ...{ index: 3, place: 'l1', block: { number: 7, hash: word('b'), time: 100 }, nonce: 9, gasLimit: 30_000 },
      ...{ creates: null, logs: [], deposit: null, deposits: [], inbox: null, carrier: null, trace: null },
      ...{ status: 'success', fees: { execution: '1000', l1: null, operator: null, blobs: null, total: '1000' } },
    });
    expect(requests.toSorted()).toEqual([
      ['eth_getBlockByHash', word('b'), true],
      ['eth_getTransactionByHash', word('a')],
      ['eth_getTransactionReceipt', word('a')],
    ]);
    expect(inspector.identified).toEqual([[]]);
  });

  it('is undefined when the layer has none', async () => {
    expect((await read({ transaction: null, receipt: null })).view).toBeUndefined();
  });

  it.each([l1Layer, l2Layer])('is in no block while it is pending', async (layer) => {
    const pending = { transaction: { ...SENT, sourceHash: word('5'), nonce: undefined }, receipt: null };
    const { view, requests } = await read(pending, layer, {}, true);
    expect(view).toMatchObject({
      ...{ block: null, fees: null, status: null, creates: null, logs: [], deposits: [], inbox: null, nonce: 0 },
      ...{ carrier: null, deposit: null, trace: null },
    });
    expect(requests).toHaveLength(2);
  });

  it('has its logs, decoded, with the names of those that emitted them', async () => {
    const log = { address: address('E'), topics: [SENT_TOPIC], data: word('7'), logIndex: '0x4' };
    const unknown = { address: address('d'), topics: [], data: '0x', logIndex: '0x5' };
    const receipt = { ...RECEIPT, logs: [log, unknown], to: address('b'), contractAddress: address('C') };
    const { view, inspector } = await read({ receipt });
    expect(view?.logs).toEqual([
      {
        ...{ index: 4, emitter: { address: address('e'), name: 'emitter' }, topics: [SENT_TOPIC] },
        event: expect.objectContaining({ name: 'Sent', args: { amount: String(BigInt(word('7'))) } }),
      },
      { index: 5, emitter: { address: address('d'), name: null }, topics: [], event: null },
    ]);
    expect(view?.creates).toBe(address('c'));
    expect(inspector.identified).toEqual([[address('b'), address('c'), address('e'), address('d')]]);
  });

  it('on L1 has the deposits that it makes, and what it brings to a batch inbox', async () => {
    const nodes = [{ name: 's', role: 'sequencer', el: { http: '' } }];
    const chains = [{ name: 'main', rollupFile, contracts: { l1: { OptimismPortal: PORTAL } }, nodes }];
    const plan = { network: { l1: { rpc: 'http://127.0.0.1:1' }, chains } };
    const more = { plan: plan as never, rollup: () => ROLLUP };
    const log = { ...depositLog(address('1'), address('2'), 5n), logIndex: '0x0' };
    const receipt = { ...RECEIPT, logs: [log] };
    const transaction = { ...IN_BLOCK, to: INBOX };
    const { view } = await read({ transaction, receipt }, l1Layer, more);
    expect(view?.deposits).toMatchObject([{ chain: 'main' }]);
    // L1 itself does not answer in this test.
    expect(view?.inbox).toMatchObject({ chain: 'main', frames: [], problem: expect.anything() });
    const pending = await read({ transaction: { ...SENT, to: INBOX }, receipt: null }, l1Layer, more);
    expect(pending.view).toMatchObject({ deposits: [], inbox: null });
    const onL2 = await read({ transaction, receipt }, l2Layer, more);
    expect(onL2.view).toMatchObject({ deposits: [], inbox: null });
  });

  it.each<[string, object]>([
    ['transaction.gas', { transaction: { ...IN_BLOCK, gas: null } }],
    ['receipt.logs', { receipt: { ...RECEIPT, logs: null } }],
    ['log.address', { receipt: { ...RECEIPT, logs: [{}] } }],
    ['log.topics', { receipt: { ...RECEIPT, logs: [{ address: address('1') }] } }],
  ])('is refused without %s', async (what, served) => {
    await expect(read(served)).rejects.toThrow(new RegExp(`^${what}`));
  });

  it('is traced when that is asked for', async () => {
    const { view } = await read({}, l1Layer, {}, true);
    expect(view?.trace).toMatchObject({ kind: 'CALL' });
  });

  it('on L2 has what carried its block, or why that cannot be read', async () => {
    const asked: unknown[] = [];
    const carrier: Inspector['carrier'] = async (layer, block) => {
      asked.push(layer.label, block);
      return { kind: 'none', because: 'no batch yet' };
    };
    const { view } = await read({}, l2Layer, { carrier });
    expect(view).toMatchObject({ place: 'main/s', deposit: null, deposits: [], inbox: null });
    expect(view?.carrier).toEqual({ kind: 'none', because: 'no batch yet' });
    expect(asked).toEqual(['main/s', { timestamp: '0x64', number: '0x7' }]);
    const failing = async () => Promise.reject(new Error('L1 does not answer'));
    const { view: unread } = await read({}, l2Layer, { carrier: failing });
    expect(unread?.carrier).toEqual({ kind: 'none', because: 'L1 does not answer' });
  });

  it('that is a deposit has its source, and pays nothing', async () => {
    const receipt = { ...RECEIPT, l1Fee: '0x5', operatorFeeScalar: '0x1', operatorFeeConstant: '0x1' };
    const { view } = await read({ transaction: DEPOSIT, receipt }, l2Layer);
    expect(view).toMatchObject({
      ...{ kind: 'deposit', nonce: 0, deposit: { kind: 'unknown', sourceHash: word('5') } },
      fees: { execution: '0', l1: null, operator: null, blobs: null, total: '0' },
    });
    expect((await read({ transaction: DEPOSIT })).view?.deposit).toBeNull();
  });
});

describe('what a transaction pays', () => {
  const feesOf = async (receipt: object, layer: (url: string) => Layer = l1Layer, more: Partial<Inspector> = {}) =>
    (await read({ receipt: { ...RECEIPT, ...receipt } }, layer, more)).view?.fees;

  it('is its gas at its price', async () => {
    expect(await feesOf({ effectiveGasPrice: undefined })).toMatchObject({ execution: '0', total: '0' });
  });

  it('has its blobs when their gas and its price are known', async () => {
    const blobs = { blobGasUsed: '0x20000', blobGasPrice: '0x2' };
    expect(await feesOf(blobs)).toMatchObject({ execution: '1000', blobs: '262144', total: '263144' });
    expect(await feesOf({ ...blobs, blobGasPrice: undefined })).toMatchObject({ blobs: null, total: '1000' });
    expect(await feesOf({ ...blobs, blobGasUsed: undefined })).toMatchObject({ blobs: null, total: '1000' });
  });

  it('has on L2 its data on L1 and the operator, by the rules of its block', async () => {
    const calls: unknown[] = [];
    const rulesAt = (time: number) => ({
      operatorFee: {
        read: (storage: () => bigint) => ({
          cost(gas: bigint) {
            calls.push(time, storage(), gas);
            return 3n;
          },
        }),
      },
    });
    const rollup = (() => ({ rulesAt })) as unknown as Inspector['rollup'];
    const fees = { l1Fee: '0x5', operatorFeeScalar: '0x7', operatorFeeConstant: '0x9' };
    expect(await feesOf(fees, l2Layer, { rollup })).toEqual({
      ...{ execution: '1000', l1: '5', operator: '3', blobs: null, total: '1008' },
    });
    expect(calls).toEqual([100, (7n << 64n) | 9n, 100n]);
    await feesOf({ ...fees, operatorFeeConstant: undefined }, l2Layer, { rollup });
    expect(calls[4]).toBe(7n << 64n);
    expect(await feesOf({ ...fees, operatorFeeScalar: undefined }, l2Layer)).toMatchObject({ operator: null });
    expect(await feesOf(fees)).toMatchObject({ l1: '5', operator: null, total: '1005' });
    const none = (() => ({ rulesAt: () => ({ operatorFee: { read: () => null } }) })) as unknown as Inspector['rollup'];
    expect(await feesOf(fees, l2Layer, { rollup: none })).toMatchObject({ operator: null, total: '1005' });
  });
});
