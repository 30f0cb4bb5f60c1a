import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { GENESIS_TIME, LOGGER, STORE } from '../support/genesis.ts';
import { type SampleChain, sampleChain, topic } from '../support/sample-chain.ts';

let chain: SampleChain;
beforeAll(async () => {
  chain = await sampleChain();
});
afterAll(() => chain[Symbol.asyncDispose]());

const ask = <Result>(method: string, ...params: unknown[]) => chain.rust.rpc.call<Result>(`ots_${method}`, params);
const from = ACCOUNTS[0]!.address.toLowerCase() as Hex;

interface Page {
  readonly txs: { readonly hash: Hex }[];
  readonly receipts: { readonly timestamp: Hex }[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

test('an explorer pages through a block', async () => {
  const { block, totalFees, issuance } = await ask<Record<string, Record<string, unknown>>>('getBlockDetails', 2);
  expect(block).toMatchObject({ number: '0x2', transactionCount: 3, logsBloom: null });
  expect(block).not.toHaveProperty('transactions');
  expect(issuance).toEqual({ blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' });
  const receipts = await chain.rust.rpc.call<{ gasUsed: Hex; effectiveGasPrice: Hex }[]>('eth_getBlockReceipts', [
    '0x2',
  ]);
  const fees = receipts.reduce((sum, one) => sum + BigInt(one.gasUsed) * BigInt(one.effectiveGasPrice), 0n);
  expect(BigInt(totalFees as unknown as Hex)).toBe(fees);
  const page = await ask<{
    fullblock: { transactions: { hash: Hex }[]; transactionCount: number };
    receipts: object[];
  }>('getBlockTransactions', 2, 1, 2);
  const whole = await chain.rust.rpc.call<{ transactions: Hex[] }>('eth_getBlockByNumber', ['0x2', false]);
  expect(page.fullblock.transactions.map(({ hash }) => hash)).toEqual(whole.transactions.slice(0, 1));
  const last = await ask<typeof page>('getBlockTransactions', 2, 0, 2);
  expect(last.fullblock.transactions).toMatchObject([
    { hash: chain.sent['legacy'], input: topic(1).slice(0, 10) },
    { hash: chain.sent['listed'] },
  ]);
  expect(page).toMatchObject({ fullblock: { transactionCount: 3 }, receipts: [{ logs: null, logsBloom: null }] });
});

test('an explorer finds transactions by sender and nonce, by address, and the creator of a contract', async () => {
  const names = Object.keys(chain.sent);
  for (const [nonce, name] of names.entries())
    expect(await ask('getTransactionBySenderAndNonce', from, nonce), name).toBe(chain.sent[name]);
  expect(await ask('getTransactionBySenderAndNonce', from, 99)).toBeNull();
  const { contractAddress } = await chain.rust.rpc.call<{ contractAddress: Hex }>('eth_getTransactionReceipt', [
    chain.sent['creating'],
  ]);
  expect(await ask('getContractCreator', contractAddress)).toEqual({ hash: chain.sent['creating'], creator: from });
  expect(await ask('getContractCreator', STORE)).toBeNull();
  expect(await ask('hasCode', STORE)).toBe(true);
  expect(await ask('hasCode', from)).toBe(false);
  const before = await ask<Page>('searchTransactionsBefore', LOGGER, 0, 10);
  expect(before.txs.map(({ hash }) => hash)).toEqual([chain.sent['legacy'], chain.deposit]);
  expect(before).toMatchObject({ firstPage: true, lastPage: true });
  expect(Number(before.receipts[0]!.timestamp)).toBe(GENESIS_TIME + 4);
  const first = await ask<Page>('searchTransactionsBefore', LOGGER, 0, 1);
  expect(first).toMatchObject({ txs: [{ hash: chain.sent['legacy'] }], lastPage: false });
  expect(await ask('searchTransactionsBefore', LOGGER, 2, 1)).toMatchObject({
    txs: [{ hash: chain.deposit }],
    firstPage: false,
  });
  expect(await ask('searchTransactionsAfter', LOGGER, 1, 5)).toMatchObject({
    txs: [{ hash: chain.sent['legacy'] }],
    firstPage: true,
  });
});

test('an execution client shows the calls inside a transaction', async () => {
  expect(await ask('traceTransaction', chain.sent['dynamic'])).toMatchObject([
    { type: 'CALL', depth: 0, from, value: '0x5' },
  ]);
  expect(await ask('getTransactionError', chain.sent['failing'])).toBe('0xabcd');
  expect(await ask('getTransactionError', chain.sent['dynamic'])).toBeNull();
  expect(await ask('getInternalOperations', chain.sent['dynamic'])).toEqual([]);
});
