import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BatchRow, batchReader } from '../../../../src/orchestrator/dashboard/explorer/batches.ts';
import type { Inspector, L2Layer } from '../../../../src/orchestrator/inspect/inspector.ts';
import type { Hex, L1Header } from '../../../../src/protocol/types.ts';
import type { L1Contents, ScriptedL1 } from '../../../protocol/derivation/scripted/l1.ts';
import { createNetwork, framesOf, inCalldata, type Network } from '../../../protocol/derivation/scripted/network.ts';
import { BATCHER, GENESIS_L1, testRollup } from '../../../protocol/derivation/scripted/rollup.ts';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [at?: string];
}

let l1: ScriptedL1;
/** Numbers of the L1 blocks that were read with their transactions. */
let read: number[] = [];

const quantity = (value: number | bigint): Hex => `0x${value.toString(16)}`;

async function blockAt(header: L1Header | null, whole: boolean) {
  if (header === null) return null;
  const transactions = (await l1.transactions(header.hash)) ?? [];
  const { number, timestamp, baseFeePerGas, excessBlobGas, ...hashes } = header;
  return {
    ...hashes,
    ...{ number: quantity(number), timestamp: quantity(timestamp), baseFeePerGas: quantity(baseFeePerGas) },
    excessBlobGas: quantity(excessBlobGas ?? 0),
    transactions: transactions.map((each) => (whole ? { ...each, type: quantity(each.type) } : each.hash)),
  };
}

/** Answers as an execution client of L1 does. L2 has one block, which no method here looks into. */
async function answer({ method, params: [at] }: Request): Promise<unknown> {
  if (method === 'eth_getTransactionReceipt') return { gasUsed: '0x5208', effectiveGasPrice: '0x2' };
  if (at === 'latest') return blockAt(l1.head(), false);
  read.push(Number(at));
  return blockAt(await l1.headerByNumber(Number(at)), true);
}

const server = createServer(async (request, response) => {
  const body = JSON.parse((await request.setEncoding('utf8').toArray()).join('')) as Request | readonly Request[];
  const reply = async (each: Request) => ({ jsonrpc: '2.0', id: each.id, result: await answer(each) });
  const replies = 'method' in body ? await reply(body) : await Promise.all(body.map(reply));
  response.setHeader('content-type', 'application/json').end(JSON.stringify(replies));
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A network with one batch in each of three L1 blocks, and what the page shows of them. */
async function started() {
  const network = createNetwork(testRollup('granite'));
  l1 = network.l1;
  read = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const inspector = {
    plan: { network: { l1: { rpc: url } } },
    rollup: () => network.rollup,
    attributes: () => {
      return { carried: { batcher: BATCHER } };
    },
  } as unknown as Inspector;
  const layer = { url, chain: { name: 'main' } } as unknown as L2Layer;
  const reader = batchReader();
  await network.advance();
  for (const channel of [1, 2, 3]) l1.mine(batchIn(network, channel));
  return { network, rows: async () => placesOf(await reader(inspector, layer)) };
}

/** What an L1 block holds with a channel of its own for L2 block 1. */
function batchIn({ rollup, sequencer }: Network, channel: number): L1Contents {
  return { transactions: inCalldata(framesOf(rollup, sequencer.chain().slice(1, 2), { id: channel })) };
}

/** Returns the L1 block and the number of the channel of each row. */
const placesOf = (rows: readonly BatchRow[]) =>
  rows.map(({ l1Blocks, channel, firstBlock, cost }) => {
    expect({ firstBlock, cost }).toEqual({ firstBlock: 1, cost: '42000' });
    return [l1Blocks, Number(channel)];
  });

/** The number of the first mined block: an empty one. */
const FIRST = GENESIS_L1.number + 1;
const BEFORE = [
  [[FIRST + 3], 3],
  [[FIRST + 2], 2],
  [[FIRST + 1], 1],
];

it('the batch view reads each block of L1 once, and asks for the new ones alone', async () => {
  const { network, rows } = await started();
  expect(await rows()).toEqual(BEFORE);
  expect(await rows()).toEqual(BEFORE);
  l1.mine(batchIn(network, 4));
  expect(await rows()).toEqual([[[FIRST + 4], 4], ...BEFORE]);
  expect(read).toEqual([0, 1, 2, 3, 4, 5].map((after) => GENESIS_L1.number + after));
});

it.each([
  { length: 'shorter', mined: [5], expected: [[[FIRST + 2], 5]] },
  {
    length: 'as long',
    mined: [5, 6],
    expected: [
      [[FIRST + 3], 6],
      [[FIRST + 2], 5],
    ],
  },
  {
    length: 'longer',
    mined: [5, 6, 7],
    expected: [
      [[FIRST + 4], 7],
      [[FIRST + 3], 6],
      [[FIRST + 2], 5],
    ],
  },
  { length: 'longer and empty', mined: [0, 0, 0], expected: [] },
])(
  'the batch view replaces the batches of removed blocks when the other branch of L1 is $length',
  async ({ mined, expected }) => {
    const { network, rows } = await started();
    expect(await rows()).toEqual(BEFORE);
    l1.reorgTo(FIRST + 1);
    for (const channel of mined) l1.mine(channel === 0 ? {} : batchIn(network, channel));
    expect(await rows()).toEqual([...expected, ...BEFORE.slice(2)]);
  },
);

it('the batch view reads on when L1 loses its newest blocks alone', async () => {
  const { rows } = await started();
  expect(await rows()).toEqual(BEFORE);
  l1.reorgTo(FIRST + 1);
  expect(await rows()).toEqual(BEFORE.slice(2));
});
