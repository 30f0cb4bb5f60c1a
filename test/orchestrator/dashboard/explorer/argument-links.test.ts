import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withArgumentLinks } from '../../../../src/orchestrator/dashboard/explorer/argument-links.ts';
import type { Decoded } from '../../../../src/orchestrator/inspect/abi/abi.ts';
import { inspectorOf } from '../../../../src/orchestrator/inspect/inspector.ts';
import { type Layer, layersOf } from '../../../../src/orchestrator/inspect/layer.ts';
import type { TransactionView } from '../../../../src/orchestrator/inspect/transaction.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { twoChainsAt } from '../answering-plan.ts';
import { type AnsweringNode, answeringNode } from '../rpc-answers.ts';

const [TRANSACTION, BLOCK, OTHER] = ['11', '22', '33'].map((each) => `0x${each.repeat(32)}`) as [
  string,
  string,
  string,
];
const PREDEPLOY = '0x4200000000000000000000000000000000000015';
let node: AnsweringNode;
let plan: Plan;

beforeAll(async () => {
  node = await answeringNode((method, [hash]) => {
    if (method === 'eth_getTransactionByHash') return hash === TRANSACTION ? { hash } : null;
    if (method === 'eth_getBlockByHash') return hash === BLOCK ? { hash } : null;
    return '0x';
  });
  plan = twoChainsAt(node.url);
});
afterAll(() => node.close());

const party = (address: string) => ({ address, name: null });

/** Where an event is logged, and its name. */
interface LogPlace {
  readonly chain?: string;
  readonly emitter?: string;
  readonly name?: string;
}

/** The links of a transaction that logs an event of a contract. */
async function linksOf(args: Decoded['args'], place: LogPlace = {}) {
  const { chain = 'one', emitter = PREDEPLOY, name = 'Seen' } = place;
  const [layer] = layersOf(plan, { chain }) as [Layer];
  const event = { name, signature: `${name}()`, args };
  const view: TransactionView = {
    ...{ index: 0, hash: OTHER, kind: 'legacy', place: layer.label, from: party(PREDEPLOY), to: null, value: '0' },
    ...{ call: null, selector: null, inputBytes: 0, status: 'success', gasUsed: 1, gasLimit: 1, nonce: 0, block: null },
    ...{ creates: null, fees: null, deposits: [], deposit: null, inbox: null, carrier: null, trace: null },
    logs: [{ index: 0, emitter: party(emitter), event, topics: [] }],
  };
  // The files of this plan are not written: a batch inbox has no name.
  const names = () => new Map([[PREDEPLOY, 'l1Block']]);
  return (await withArgumentLinks({ ...inspectorOf(plan), names }, layer, view)).links;
}

describe('the links of decoded arguments', () => {
  it('lead to addresses, with their names, also inside structs and lists', async () => {
    const other = `0x${'AB'.repeat(20)}`;
    expect(await linksOf({ to: PREDEPLOY, list: [{ inner: other }] })).toEqual({
      [PREDEPLOY]: { to: `#/blocks/one/address/${PREDEPLOY}`, name: 'l1Block' },
      [other.toLowerCase()]: { to: `#/blocks/one/address/${other.toLowerCase()}`, name: null },
    });
  });

  it('lead to transactions and blocks that a chain has, and from no other hash', async () => {
    expect(await linksOf({ a: TRANSACTION, b: BLOCK, c: OTHER })).toEqual({
      [TRANSACTION]: { to: `#/blocks/one/tx/${TRANSACTION}`, name: null },
      [BLOCK]: { to: `#/blocks/one/${BLOCK}`, name: null },
    });
  });

  it('lead from a block number to its chain, and from no other number', async () => {
    expect(await linksOf({ blockNumber: 7, _l1BlockNumber: '8', l2Block: '9', amount: '9', unlocked: '9' })).toEqual({
      'blockNumber 7': { to: '#/blocks/one/7', name: null },
      '_l1BlockNumber 8': { to: '#/blocks/l1/8', name: null },
      'l2Block 9': { to: '#/blocks/one/9', name: null },
    });
  });

  it('lead from the receiver of a deposit or a withdrawal to its address on the other layer', async () => {
    const portal = plan.network.chains[1]?.contracts.l1['OptimismPortal'] ?? '';
    const receiver = `0x${'ab'.repeat(20)}`;
    const [l1, two] = ['l1', 'two'].map((chain) => ({ to: `#/blocks/${chain}/address/${receiver}`, name: null }));
    const deposit = { chain: 'l1', emitter: portal, name: 'TransactionDeposited' };
    expect(await linksOf({ to: receiver }, deposit)).toEqual({
      [receiver]: l1,
      [`TransactionDeposited.to ${receiver}`]: two,
    });
    const passer = '0x4200000000000000000000000000000000000016';
    const withdrawal = { chain: 'two', emitter: passer, name: 'MessagePassed' };
    expect(await linksOf({ target: receiver }, withdrawal)).toEqual({
      [receiver]: two,
      [`MessagePassed.target ${receiver}`]: l1,
    });
    const relayed = { chain: 'l1', emitter: portal, name: 'proveWithdrawalTransaction' };
    expect(await linksOf({ 0: { sender: receiver } }, relayed)).toEqual({
      [receiver]: l1,
      [`proveWithdrawalTransaction.sender ${receiver}`]: two,
    });
    // A contract of a user with such an event.
    expect(await linksOf({ to: receiver }, { ...deposit, emitter: OTHER.slice(0, 42) })).toEqual({ [receiver]: l1 });
  });

  it('lead from L1 to the chain of the contract that names the block or the withdrawal', async () => {
    const oracle = plan.network.chains[1]?.contracts.l1['L2OutputOracle'];
    const args = { l2BlockNumber: '9', withdrawalHash: OTHER };
    expect(await linksOf(args, { chain: 'l1', ...(oracle === undefined ? {} : { emitter: oracle }) })).toEqual({
      'l2BlockNumber 9': { to: '#/blocks/two/9', name: null },
      [OTHER]: { to: `#/bridge/two/withdrawal/${OTHER}`, name: null },
    });
    // A contract of no chain: which chain is meant is not known.
    expect(await linksOf(args, { chain: 'l1' })).toEqual({});
  });
});
