import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { blobsOf, l1Blocks } from '../../../src/orchestrator/inspect/l1-blocks.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { scriptedL1 } from '../../protocol/derivation/scripted/l1.ts';
import { GENESIS_L1 } from '../../protocol/derivation/scripted/rollup.ts';
import { answeringNode } from '../dashboard/rpc-answers.ts';
import { address, word } from './inspected.ts';
import { servedL1 } from './served-l1.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Reads all blocks of a range. */
async function blocksOf(plan: Plan, first: number, last: number) {
  const blocks = [];
  for await (const block of l1Blocks(plan, first, last)) blocks.push(block);
  return blocks;
}

describe('the blocks of L1', () => {
  it.each([
    [0, 0, 1],
    [1, 16, 16],
    [1, 17, 17],
    [3, 40, 38],
    [38, 60, 3],
    [41, 60, 0],
    [5, 4, 0],
  ])('from %d to %d after the genesis are %d, up to the head', async (from, to, count) => {
    const l1 = scriptedL1();
    for (let at = 0; at < 40; at++) l1.mine();
    const served = await servedL1(l1);
    closing.push(served.close);
    const [first, last] = [GENESIS_L1.number + from, GENESIS_L1.number + to];
    const blocks = await blocksOf(served.plan, first, last);
    expect(blocks.map(({ header }) => header.number)).toEqual(Array.from({ length: count }, (_, at) => first + at));
    // Nothing beyond the range is read, and nothing after the head but the rest of one request.
    expect(served.read.every((number) => number >= first && number <= last)).toBe(true);
    expect(served.read.length).toBeLessThanOrEqual(count + 16);
    expect(served.read.length).toBeGreaterThanOrEqual(count);
  });

  it('have their headers and transactions', async () => {
    const bare = { hash: word('a'), from: address('1'), input: '0x01' };
    const blob = { ...bare, type: '0x3', to: address('2'), blobVersionedHashes: [word('b'), word('c')] };
    const node = await answeringNode((method, params) => {
      expect([method, params]).toEqual(['eth_getBlockByNumber', ['0x7', true]]);
      return {
        ...{ hash: word('1'), number: '0x7', parentHash: word('2'), timestamp: '0x64', mixHash: word('3') },
        ...{ baseFeePerGas: '0x7', transactions: [bare, { ...blob }, { ...bare, to: null, blobVersionedHashes: [] }] },
      };
    });
    closing.push(node.close);
    const plan = { network: { l1: { rpc: node.url } } } as unknown as Plan;
    expect(await blocksOf(plan, 7, 7)).toEqual([
      {
        header: {
          ...{ hash: word('1'), number: 7, parentHash: word('2'), timestamp: 100, mixHash: word('3') },
          baseFeePerGas: 7n,
        },
        transactions: [
          { ...bare, type: 0, to: null },
          { ...bare, type: 3, to: address('2'), blobVersionedHashes: [word('b'), word('c')] },
          { ...bare, type: 0, to: null },
        ],
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['L1 block', 5],
    ['L1 block.transactions', {}],
    ['L1 transaction', { transactions: [5] }],
    ['L1 transaction.hash', { transactions: [{}] }],
  ])('are refused when they lack a %s', async (what, answer) => {
    const node = await answeringNode(() => answer);
    closing.push(node.close);
    const plan = { network: { l1: { rpc: node.url } } } as unknown as Plan;
    await expect(blocksOf(plan, 1, 1)).rejects.toThrow(what);
  });

  it('are refused with the words of the client', async () => {
    const node = await answeringNode(() => {
      throw new Error('header not found');
    });
    closing.push(node.close);
    const plan = { network: { l1: { rpc: node.url } } } as unknown as Plan;
    await expect(blocksOf(plan, 1, 1)).rejects.toThrow('header not found');
  });
});

describe('the blobs of an L1 block', () => {
  const GENESIS = 1000;
  /** Starts a beacon API with these answers by path. */
  async function beacon(answers: Readonly<Record<string, unknown>>): Promise<Plan & { readonly paths: string[] }> {
    const paths: string[] = [];
    const server: Server = createServer((request, response) => {
      paths.push(request.url ?? '');
      const data = answers[request.url ?? ''];
      response.statusCode = data === undefined ? 404 : 200;
      response.end(JSON.stringify({ data }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { network: { l1: { beacon: url } }, paths } as unknown as Plan & { readonly paths: string[] };
  }
  const times = {
    '/eth/v1/beacon/genesis': { genesis_time: String(GENESIS) },
    '/eth/v1/config/spec': { SECONDS_PER_SLOT: '12' },
  };
  const pathOf = (slot: number, hash: string) => `/eth/v1/beacon/blobs/${slot}?versioned_hashes=${hash}`;
  const at = (timestamp: number) => ({ timestamp }) as Parameters<typeof blobsOf>[1];

  it('are those of its slot, in the order of their hashes', async () => {
    const plan = await beacon({ ...times, [pathOf(3, word('a'))]: ['0x01', '0x09'], [pathOf(3, word('b'))]: ['0x02'] });
    const blobs = await blobsOf(plan, at(GENESIS + 36), [word('b'), word('a'), word('b')]);
    expect(blobs).toEqual([Uint8Array.of(2), Uint8Array.of(1), Uint8Array.of(2)]);
    // A block within a slot is of that slot.
    expect(await blobsOf(plan, at(GENESIS + 47), [word('a')])).toEqual([Uint8Array.of(1)]);
    expect(await blobsOf(plan, at(GENESIS + 36), [])).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['one is missing', { ...times, [pathOf(3, word('a'))]: ['0x01'] }],
    ['a list is empty', { ...times, [pathOf(3, word('a'))]: ['0x01'], [pathOf(3, word('b'))]: [] }],
    ['an answer is no list', { ...times, [pathOf(3, word('a'))]: ['0x01'], [pathOf(3, word('b'))]: '0x02' }],
    ['a blob is no hex', { ...times, [pathOf(3, word('a'))]: ['0x01'], [pathOf(3, word('b'))]: ['blob'] }],
    ['a blob is no text', { ...times, [pathOf(3, word('a'))]: ['0x01'], [pathOf(3, word('b'))]: [2] }],
  ])('are absent when %s', async (_, answers) => {
    expect(await blobsOf(await beacon(answers), at(GENESIS + 36), [word('a'), word('b')])).toBeNull();
  });

  it.each(Object.keys(times))('are absent, and none is asked for, when the beacon lacks %s', async (path) => {
    const plan = await beacon({ ...times, [path]: undefined });
    expect(await blobsOf(plan, at(GENESIS), [word('a')])).toBeNull();
    expect(plan.paths.toSorted()).toEqual(Object.keys(times).toSorted());
  });
});
