import { type Hex, parseTransaction } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { choiceOf } from '../../../../src/orchestrator/traffic/load/choice.ts';
import { type Item, makerOf } from '../../../../src/orchestrator/traffic/load/kinds.ts';
import { type Layer, openLayer } from '../../../../src/orchestrator/traffic/load/layer.ts';
import { type LoadRequest, runLoad } from '../../../../src/orchestrator/traffic/load/load.ts';
import { roomOf } from '../../../../src/orchestrator/traffic/load/room.ts';
import { sendersOf } from '../../../../src/orchestrator/traffic/load/senders.ts';
import { Tracker } from '../../../../src/orchestrator/traffic/load/tracker.ts';
import { TransportError } from '../../../../src/rpc/client/client.ts';
import { RpcError } from '../../../../src/rpc/error.ts';
import { method } from '../../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../../src/rpc/server/server.ts';
import { Failure } from '../../../../src/system/failure.ts';
import { planOf } from '../../plan/planned.ts';

const KEY: Hex = `0x${'11'.repeat(32)}`;
const ETHER = 10n ** 18n;
const chainOf = (text = '{}') => planOf(text).network.chains[0]!;
const items = (kind: Parameters<typeof makerOf>[0], count: number, gasLimit = 30_000_000): Item[] =>
  Array.from({ length: count }, (_, index) => makerOf(kind, gasLimit)(choiceOf(0, index), 1, chainOf()));

/** A pool that refuses what costs more than one ether, and nonces below that of the account. */
class Pool {
  nonce = 0;
  readonly raws: Hex[] = [];
  server: RunningServer | undefined;
  /** The answer to requests for receipts; undefined: they are answered. */
  refusal: RpcError | undefined;

  async open(port = 0): Promise<string> {
    const any = z.tuple([z.optional(z.any()), z.optional(z.any())]);
    const methods = {
      eth_chainId: method('', any, () => '0x1'),
      eth_blockNumber: method('', any, () => (this.refusal === undefined ? '0x0' : '0x1')),
      eth_getBlockByNumber: method('', any, () => ({ baseFeePerGas: '0x3b9aca00', gasLimit: '0x1c9c380' })),
      eth_getBlockReceipts: method('', any, () => {
        if (this.refusal !== undefined) throw this.refusal;
        return [];
      }),
      eth_getTransactionCount: method('', any, () => `0x${this.nonce.toString(16)}`),
      eth_sendRawTransaction: method('', any, (_: undefined, [raw]) => {
        const { gas = 0n, maxFeePerGas = 0n, nonce = 0 } = parseTransaction(raw as Hex);
        if (gas * maxFeePerGas > ETHER) throw new RpcError(-32000, 'tx fee exceeds the configured cap');
        if (nonce < this.nonce)
          throw new RpcError(-32000, `nonce too low: next nonce ${this.nonce}, tx nonce ${nonce}`);
        this.nonce = nonce + 1;
        this.raws.push(raw as Hex);
        return `0x${this.raws.length.toString(16).padStart(64, '0')}`;
      }),
    };
    this.server = await serve({
      host: '127.0.0.1',
      port,
      http: true,
      websocket: false,
      methods,
      context: undefined,
    });
    return `http://127.0.0.1:${this.server.port}`;
  }
}

let pool = new Pool();
afterEach(async () => {
  await pool.server?.close();
  pool = new Pool();
});

it.each([30_000_000, 1_000_000_000])(
  'load --kind fill: no fee is above the cap at a gas limit of %i',
  async (gasLimit) => {
    const layer = await openLayer(await pool.open());
    for (const item of items('fill', 6, gasLimit)) await layer.send(KEY, item);
    expect(pool.raws).toHaveLength(6);
  },
);

it('a load takes the next nonce when a deposit moved that of its account', async () => {
  const layer = await openLayer(await pool.open());
  const [first, second] = items('transfers', 2);
  await layer.send(KEY, first!);
  pool.nonce = 5;
  expect(await layer.send(KEY, second!)).toMatchObject({ nonce: 5 });
});

it('a load sends a transaction again when a deposit took its nonce', async () => {
  const layer = await openLayer(await pool.open());
  let now = 0;
  const tracker = new Tracker({ l1: layer, l2: layer }, () => now);
  const [first] = items('transfers', 1);
  await tracker.send(KEY, first!);
  pool.nonce = 2;
  now = 5000;
  await tracker.check();
  expect(pool.raws.map((raw) => parseTransaction(raw).nonce)).toEqual([0, 2]);
  expect(tracker.waiting().count).toBe(1);
});

it('a load still waits for a transaction when its client is away as it is sent again', async () => {
  const layer = await openLayer(await pool.open());
  let now = 0;
  let isAway = false;
  const cause = new TransportError('http://127.0.0.1:1', 'no answer');
  const send: Layer['send'] = (key, item) =>
    isAway ? Promise.reject(new Failure('load', 'no answer', { cause })) : layer.send(key, item);
  const tracker = new Tracker({ l1: layer, l2: { ...layer, send } }, () => now);
  await tracker.send(KEY, items('transfers', 1)[0]!);
  pool.nonce = 2;
  now = 5000;
  isAway = true;
  await tracker.check();
  expect(tracker.waiting().count).toBe(1);
  now = 10_000;
  isAway = false;
  await tracker.check();
  expect(pool.raws.map((raw) => parseTransaction(raw).nonce)).toEqual([0, 2]);
  expect(tracker.waiting().count).toBe(1);
});

it('a load waits for a client that is away, as a leader that is lost', async () => {
  const layer = await openLayer(await pool.open());
  const tracker = new Tracker({ l1: layer, l2: layer }, () => 0);
  const [first] = items('transfers', 1);
  await tracker.send(KEY, first!);
  await pool.server?.close();
  await tracker.check();
  expect(tracker.waiting().count).toBe(1);
});

describe('a load whose client is away after its first transaction', () => {
  /** Runs a load of two transfers. `onPass` is called with the time (ms) whenever it waits. */
  async function loadOver(timeoutMs: number, onPass: (now: number) => Promise<void>) {
    const url = await pool.open();
    const plan = planOf('{}');
    const [chain] = plan.network.chains;
    const [node] = chain!.nodes;
    const l1 = { ...plan.network.l1, rpc: url };
    const view = { ...chain!, nodes: [{ ...node!, el: { ...node!.el, http: url } }] };
    let now = 0;
    const request: LoadRequest = {
      ...{ kind: 'transfers', seed: 0, count: 2, forMs: undefined, tps: 1, timeoutMs },
      signal: new AbortController().signal,
      now: () => now,
      pass(ms) {
        now += ms;
        return onPass(now);
      },
    };
    return runLoad({ ...plan, network: { ...plan.network, l1, chains: [view] } }, view, request);
  }
  const port = () => pool.server!.port;

  it('goes on when another leader takes transactions', async () => {
    let leftAt: number | undefined;
    let backAt: number | undefined;
    const result = await loadOver(5000, async (now) => {
      if (leftAt === undefined) {
        leftAt = now;
        await pool.server?.close();
      } else if (backAt === undefined && now > leftAt + 2000) {
        backAt = now;
        await pool.open(port());
      }
    });
    expect(result).toMatchObject({ sent: 2, missing: 2 });
    expect(result).not.toHaveProperty('refused');
  });

  it('reports what it sent when the client refuses to answer for its blocks', async () => {
    const result = await loadOver(5000, async () => {
      pool.refusal = new RpcError(-32000, 'the history is gone');
    });
    expect(result).toMatchObject({ sent: 2, missing: 2, refused: expect.stringContaining('the history is gone') });
  });

  it('ends with the reason when none does within its time', async () => {
    const result = await loadOver(5000, async () => void (await pool.server?.close().catch(() => {})));
    expect(result).toMatchObject({
      sent: 1,
      refused: expect.stringMatching(/^no client took a transaction for 5 s: .*127\.0\.0\.1/),
    });
  });
});

it.each([
  [10, 8],
  [2, 1],
])('a load with %i accounts makes deposits from none that sends on L2', (count, expected) => {
  const senders = sendersOf(chainOf(`chains: { main: { accounts: { count: ${count} } } }`));
  expect(senders.count).toBe(expected);
  const [transfer] = items('transfers', 1);
  const [deposit] = items('deposits', 1);
  const of = (item: Item) =>
    new Set(Array.from({ length: 20 }, (_, index) => privateKeyToAddress(senders.keyOf(item, index))));
  expect([...of(deposit!)].filter((address) => of(transfer!).has(address))).toEqual([]);
});

it('a deposit and a transaction on L2 wait for each other with one account', async () => {
  const layer = await openLayer(await pool.open());
  const tracker = new Tracker({ l1: layer, l2: layer }, () => 0);
  const [transfer] = items('transfers', 1);
  const [deposit] = items('deposits', 1);
  await tracker.send(KEY, transfer!);
  expect([tracker.blocks(deposit!, KEY), tracker.blocks(transfer!, KEY)]).toEqual([true, false]);
  const other = new Tracker({ l1: layer, l2: layer }, () => 0);
  await other.send(KEY, deposit!);
  expect([other.blocks(deposit!, KEY), other.blocks(transfer!, KEY)]).toEqual([false, true]);
});

it('deposits that wait on L1 stay within the target of one block, and one is always taken', async () => {
  // No L1 answers: the limits of public chains hold.
  const plan = planOf('{}');
  const hasRoom = await roomOf(plan, plan.network.chains[0]!, 30_000_000);
  const [deposit] = items('deposits', 1);
  const waiting = (depositGas: bigint) => ({ count: 1, gas: 0n, depositGas, blobs: 0 });
  expect([0n, 1_979_000n, 1_980_000n].map((gas) => hasRoom(deposit!, waiting(gas)))).toEqual([true, true, false]);
  expect(hasRoom({ ...deposit!, depositGas: 5_000_000n }, waiting(0n))).toBe(true);
});
