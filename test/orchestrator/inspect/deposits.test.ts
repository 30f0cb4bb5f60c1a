import { afterEach, describe, expect, it } from 'vitest';
import { depositSource, depositsMade } from '../../../src/orchestrator/inspect/deposits.ts';
import type { Attributes, Inspector } from '../../../src/orchestrator/inspect/inspector.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { depositHash } from '../../../src/protocol/codec/deposit.ts';
import { depositOfLog } from '../../../src/protocol/codec/deposit-log.ts';
import { l1AttributesSourceHash } from '../../../src/protocol/codec/source-hash.ts';
import type { Log } from '../../../src/protocol/types.ts';
import { PORTAL } from '../../protocol/derivation/scripted/rollup.ts';
import { depositLog } from '../../protocol/derivation/scripted/transactions.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';
import { address, l2Layer, stubInspector, word } from './inspected.ts';

let node: AnsweringNode | undefined;
afterEach(() => node?.close());

const ORIGIN = { number: 9, hash: word('e') };
const TIME = 1010;
const ATTRIBUTES = {
  info: { number: 9, sequenceNumber: 4, baseFee: 7n, batcherAddr: address('1') },
  carried: { origin: ORIGIN, timestamp: TIME },
} as unknown as Attributes;
const BLOCK = { number: '0x5' };
const other: Log = { address: PORTAL, topics: [word('1')], data: '0x', logIndex: 0 };
const user: Log = { ...depositLog(address('1'), address('2'), 5n), logIndex: 2 };
const second: Log = { ...depositLog(address('1'), address('2'), 5n), logIndex: 3 };
const sourceOf = (log: Log) => depositOfLog(log, ORIGIN.hash).sourceHash;
const receiptOf = (logs: readonly Log[], digit = 'a') => ({
  ...{ transactionHash: word(digit), status: '0x1', blockHash: ORIGIN.hash },
  logs: logs.map((log) => ({ ...log, logIndex: `0x${log.logIndex.toString(16)}` })),
});

/** Finds the source of a deposit in a block with attributes, on an L1 with these receipts. */
async function source(
  transaction: object,
  { attributes = ATTRIBUTES, receipts = [] as unknown, forks = {}, overrides = {} } = {},
  more: Partial<Inspector> = {},
) {
  const requests: unknown[] = [];
  node = await answeringNode((method, params) => {
    requests.push([method, params]);
    return receipts;
  });
  const plan = { network: { l1: { rpc: node.url }, chains: [] } } as unknown as Plan;
  const inspector = stubInspector({ plan, attributes: () => attributes, ...more });
  const result = await depositSource(inspector, l2Layer('', forks, overrides), { ...transaction }, BLOCK);
  return { result, requests };
}

describe('the source of a deposit', () => {
  it('is L1 itself for the attributes of its origin, with their values', async () => {
    const sourceHash = l1AttributesSourceHash(ORIGIN.hash, 4);
    const { result, requests } = await source({ sourceHash, isSystemTx: true });
    expect(result).toEqual({
      ...{ kind: 'l1-attributes', sourceHash, mint: '0', isSystem: true, origin: ORIGIN, sequenceNumber: 4 },
      attributes: { number: 9, sequenceNumber: 4, baseFee: '7', batcherAddr: address('1') },
    });
    expect(requests).toEqual([]);
  });

  it('is the log of a user on L1', async () => {
    const receipts = [receiptOf([other]), receiptOf([other, user, second], 'b')];
    const { result, requests } = await source(
      { sourceHash: sourceOf(second), mint: '0x10', isSystemTx: false },
      { receipts },
    );
    expect(result).toEqual({
      ...{ kind: 'user', sourceHash: sourceOf(second), mint: '16', isSystem: false },
      l1: { block: 9, transaction: word('b'), logIndex: 3 },
    });
    expect(requests).toEqual([['eth_getBlockReceipts', [{ blockHash: ORIGIN.hash }]]]);
  });

  it('is an upgrade in the first block of a fork, also of one that the node alone has', async () => {
    const upgrade = { sourceHash: word('5') };
    const forks = { isthmus: TIME, jovian: TIME + 1 };
    expect((await source(upgrade, { forks })).result).toEqual({
      ...{ kind: 'upgrade', sourceHash: word('5'), mint: '0', isSystem: false, forks: ['isthmus'] },
    });
    expect((await source(upgrade, { forks, overrides: { jovian: TIME } })).result).toMatchObject({
      forks: ['isthmus', 'jovian'],
    });
    expect((await source(upgrade, { forks: { isthmus: TIME - 2 }, receipts: null })).result).toEqual({
      ...{ kind: 'unknown', sourceHash: word('5'), mint: '0', isSystem: false },
    });
  });

  it('is unknown in a block without attributes', async () => {
    const { result, requests } = await source(
      { sourceHash: word('5'), isSystemTx: 'yes' },
      { attributes: null as never },
    );
    expect(result).toEqual({ kind: 'unknown', sourceHash: word('5'), mint: '0', isSystem: false });
    expect(requests).toEqual([]);
  });

  it('takes a source hash of 32 bytes', async () => {
    await expect(source({ sourceHash: '0x01' })).rejects.toThrow(/^transaction\.sourceHash/);
  });
});

describe('the deposits that a receipt of L1 makes', () => {
  const chains = [
    { name: 'main', contracts: { l1: { OptimismPortal: PORTAL } } },
    { name: 'other', contracts: { l1: { OptimismPortal: address('9').toUpperCase().replace('X', 'x') } } },
    { name: 'bare', contracts: { l1: {} } },
  ];
  const inspector = stubInspector({ plan: { network: { chains } } as unknown as Plan });

  it('are those of the portals of the network', () => {
    const elsewhere = { ...second, address: address('8') };
    const onOther = { ...second, address: address('9'), logIndex: 4 };
    expect(depositsMade(inspector, receiptOf([other, user, elsewhere, onOther]))).toEqual([
      { chain: 'main', hash: depositHash(depositOfLog(user, ORIGIN.hash)) },
      { chain: 'other', hash: depositHash(depositOfLog(onOther, ORIGIN.hash)) },
    ]);
    expect(depositsMade(inspector, receiptOf([]))).toEqual([]);
  });

  it('are refused in a receipt without its block', () => {
    expect(() => depositsMade(inspector, { ...receiptOf([user]), blockHash: '0x' })).toThrow(/^receipt\.blockHash/);
  });
});
