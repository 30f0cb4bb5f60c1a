import { type Hex, UnknownRpcError } from 'viem';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { deposit, depositHashes } from '../../../src/orchestrator/traffic/deposit.ts';
import { type ReceiptOf, receiptOf, walletAt } from '../../../src/orchestrator/traffic/transaction.ts';
import { l1Alloc } from '../../../src/protocol/genesis/index.ts';
import { allocJson } from '../../../src/protocol/genesis/render.ts';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { method } from '../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../src/rpc/server/server.ts';
import { Failure } from '../../../src/system/failure.ts';
import { until } from '../../nodes/batcher/helpers.ts';
import { GENESIS_TIME, startAnvil, type TestAnvil } from '../../nodes/beacon/anvil.ts';
import { chainInputs, contracts } from '../../protocol/genesis/inputs.ts';
import { planOf } from '../plan/planned.ts';

const KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const REQUEST = { to: `0x${'11'.repeat(20)}`, value: 1n, mint: 1n, gas: 100_000n, data: '0x' } as const;

let anvil: TestAnvil;
let l2: RunningServer;
/** Deposits that L2 has, and those that were asked for. */
const arrived = new Set<string>();
const requests = new Set<string>();

beforeEach(async () => {
  arrived.clear();
  requests.clear();
  const genesis = {
    chainId: 900,
    hardfork: 'prague',
    genesisTime: GENESIS_TIME,
    accounts: [],
    chains: [chainInputs()],
  };
  anvil = await startAnvil({ alloc: allocJson(l1Alloc(genesis as Parameters<typeof l1Alloc>[0], contracts)) });
  await mine();
  const receipt = (hash: string) => {
    requests.add(hash);
    const rest = { blockNumber: '0x1', transactionIndex: '0x0', cumulativeGasUsed: '0x1', gasUsed: '0x1', logs: [] };
    return arrived.has(hash) ? { ...rest, transactionHash: hash, status: '0x1', effectiveGasPrice: '0x0' } : null;
  };
  const methods = {
    eth_getTransactionReceipt: method('', z.tuple([z.string()]), (_: undefined, [hash]) => receipt(hash)),
  };
  l2 = await serve({ host: '127.0.0.1', port: 0, http: true, websocket: false, methods, context: undefined });
});
afterEach(async () => {
  await l2.close();
  await anvil.kill();
});

const mine = () => anvil.rpc.call('evm_mine');
const pooled = async () => {
  type Pool = Record<string, Record<string, { hash: Hex }>>;
  const { pending } = await anvil.rpc.call<{ pending: Pool }>('txpool_content');
  return Object.values(pending).flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash));
};

/** Makes a deposit from this L1 to this L2. */
function begin(url = anvil.url, receipt?: ReceiptOf, timeoutMs = 100_000) {
  const plan: Plan = planOf('{}');
  const chain = plan.network.chains[0]!;
  const nodes = chain.nodes.map((node) => ({ ...node, el: { ...node.el, http: `http://127.0.0.1:${l2.port}` } }));
  return deposit(plan, { ...chain, nodes }, walletAt(url, KEY), REQUEST, timeoutMs, receipt);
}

/** Mines the next deposit, and waits until it is asked for on L2. Returns its hashes there and on L1. */
async function included(): Promise<{ readonly onL1: Hex; readonly onL2: Hex }> {
  const onL1 = await until('a deposit is in the pool', async () => (await pooled())[0]);
  await mine();
  const receipt = await anvil.rpc.call<{ logs: object[] }>('eth_getTransactionReceipt', [onL1]);
  const onL2 = depositHashes(receipt)[0]!;
  await until('it is asked for on L2', () => requests.has(onL2));
  return { onL1, onL2 };
}

it('a deposit is sent again when a reorganisation takes it out of L1 before L2 has it', async () => {
  const result = begin();
  const first = await included();
  await anvil.rpc.call('anvil_reorg', [1, []]);
  const second = await included();
  arrived.add(second.onL2);
  expect(await result).toMatchObject({ l2: { transactionHash: second.onL2, status: 'success' }, lost: [first.onL1] });
});

it('a deposit is sent again when the pool of L1 drops it', async () => {
  const result = begin();
  await until('it is in the pool', async () => (await pooled())[0]);
  await anvil.rpc.call('anvil_dropAllTransactions');
  const { onL2 } = await included();
  arrived.add(onL2);
  expect(await result).toMatchObject({ l2: { transactionHash: onL2 }, lost: [expect.any(String)] });
});

it.each([
  [
    new Failure('receipt', 'transaction 0x22 is not in a block', { exit: 3, hint: 'look', data: { a: 1 } }),
    { code: 'receipt', exit: 3, hint: 'look', data: { a: 1, deposit: expect.stringMatching(/^0x/) } },
    /^transaction 0x22 is not in a block; L1 has the deposit in block \d+: 0x[\da-f]{64}$/,
  ],
  [
    new UnknownRpcError(new TransportError('http://127.0.0.1:9545', 'connect ECONNREFUSED')),
    { code: 'no-answer', exit: 1, hint: expect.stringContaining('devnet status') },
    /^no answer from main\/sequencer\/el at http:\/\/127\.0\.0\.1:9545: connect ECONNREFUSED; L1 has the deposit in /,
  ],
  [new Error('broken'), {}, /^broken$/],
])('a deposit that L1 has and L2 does not show in time says so: %s', async (error, failure, message) => {
  let asked = 0;
  const onL2Fails: ReceiptOf = async (...wait) => {
    if (++asked === 2) throw error;
    return receiptOf(...wait);
  };
  const result = begin(anvil.url, onL2Fails);
  const failed = expect(result).rejects.toMatchObject({ ...failure, message: expect.stringMatching(message) });
  await until('it is in the pool', async () => (await pooled())[0]);
  await mine();
  await failed;
});

it.each([
  [
    undefined,
    { code: 'receipt', exit: 3 },
    /^transaction (0x\w+) is not in a block after 1 s; L1 .* can still include it: \1$/,
  ],
  [
    new UnknownRpcError(new TransportError('http://127.0.0.1:8545', 'connect ECONNREFUSED')),
    { code: 'no-answer', exit: 1 },
    /^no answer from l1-beacon at http:\/\/127\.0\.0\.1:8545: .*; L1 has the deposit in its pool, .*: 0x\w+$/,
  ],
])('a deposit that L1 does not include in time says that it can still be made: %s', async (error, failure, message) => {
  const onL1Fails: ReceiptOf = async (...wait) => {
    if (error !== undefined) throw error;
    return receiptOf(...wait);
  };
  const failed = await begin(anvil.url, onL1Fails, 10).catch((reason: unknown) => reason);
  expect(failed).toMatchObject({ ...failure, message: expect.stringMatching(message) });
  expect(failed).toMatchObject({ data: { deposit: (await pooled())[0] } });
});

it('a deposit that fell out fails at once when another transaction has its nonce', async () => {
  const result = begin();
  const failed = expect(result).rejects.toThrow(/fell out of L1: .*, and another transaction has its nonce 0/);
  const { onL1 } = await included();
  const from = (await anvil.rpc.call<{ from: Hex }>('eth_getTransactionByHash', [onL1])).from;
  const other = [{ from, to: REQUEST.to, value: '0x1' }, 0];
  await anvil.rpc.call('anvil_reorg', [1, [other]]);
  await failed;
});

const OF_A_WALLET = [
  ...['eth_chainId', 'eth_getBlockByNumber', 'eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_feeHistory', 'eth_call'],
  ...['eth_estimateGas', 'eth_getTransactionCount', 'eth_sendRawTransaction', 'eth_getTransactionByHash'],
  ...['eth_getTransactionReceipt'],
];

/**
 * Serves this L1 as it is while its pool is put in order.
 * Once, it does not have the transaction for two requests, and has it again before it counts the nonces.
 */
async function inOrder(): Promise<{ readonly l1: RunningServer; readonly isAgainThere: () => boolean }> {
  let raw: Hex | undefined;
  let absences = 0;
  let isAgainThere = false;
  const restore = async () => {
    if (raw === undefined) return;
    await anvil.rpc.call('eth_sendRawTransaction', [raw]);
    raw = undefined;
    isAgainThere = true;
  };
  const answer = async (name: string, params: readonly unknown[]) => {
    if (name === 'eth_getTransactionByHash' && absences < 2) {
      if (absences++ === 0) {
        raw = await anvil.rpc.call<Hex>('eth_getRawTransactionByHash', params);
        await anvil.rpc.call('anvil_dropAllTransactions');
      }
      return null;
    }
    await restore();
    return anvil.rpc.call(name, params);
  };
  const any = z.unknown().optional();
  const params = z.tuple([any, any, any]);
  const methods = Object.fromEntries(
    OF_A_WALLET.map((name) => [name, method('', params, (_: undefined, values) => answer(name, values))]),
  );
  const l1 = await serve({ host: '127.0.0.1', port: 0, http: true, websocket: false, methods, context: undefined });
  return { l1, isAgainThere: () => isAgainThere };
}

it('a deposit is made once when L1 puts its pool in order meanwhile', async () => {
  const { l1, isAgainThere } = await inOrder();
  try {
    const result = begin(`http://127.0.0.1:${l1.port}`);
    await until('it is there again', isAgainThere);
    const { onL1, onL2 } = await included();
    arrived.add(onL2);
    expect(await result).toMatchObject({ l1: { transactionHash: onL1 }, l2: { transactionHash: onL2 }, lost: [] });
    expect(await pooled()).toEqual([]);
  } finally {
    await l1.close();
  }
});
