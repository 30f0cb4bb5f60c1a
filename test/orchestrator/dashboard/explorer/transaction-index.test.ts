import { getContractAddress } from 'viem';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { transactionIndex } from '../../../../src/orchestrator/dashboard/explorer/transaction-index.ts';
import type { Layer } from '../../../../src/orchestrator/inspect/layer.ts';
import { type AnsweringNode, answeringNode } from '../rpc-answers.ts';

const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const quantity = (value: number) => `0x${value.toString(16)}`;

let node: AnsweringNode;
let layer: Layer;
let head: number;
/** What the hashes of blocks from a number on begin with: another word is another chain. */
let fork: { readonly from: number; readonly word: string };
/** Numbers of the blocks that were read. */
let read: number[];

const hashOf = (number: number) => `${number >= fork.from ? fork.word : '0xaa'}${number}`;

/** A chain on which Alice sends wei to Bob in each block, and creates a contract in block 3. */
function answer(method: string, [at]: readonly unknown[]): unknown {
  if (method === 'eth_blockNumber') return quantity(head);
  const number = Number(at);
  read.push(number);
  const to = number === 3 ? null : BOB.toUpperCase().replace('0X', '0x');
  const transaction = { hash: `0xcc${hashOf(number)}`, from: ALICE, to, value: quantity(number), nonce: '0x0' };
  return {
    ...{ number: at, hash: hashOf(number), transactions: [transaction] },
  };
}

beforeEach(async () => {
  head = 250;
  fork = { from: Number.POSITIVE_INFINITY, word: '0xbb' };
  read = [];
  node = await answeringNode(answer);
  layer = { kind: 'l1', label: 'l1', url: node.url };
});
afterEach(() => node.close());

it('the index has the transactions of an address from the genesis on, the newest first', async () => {
  const index = transactionIndex(10_000);
  const bob = await index.of(layer, BOB);
  expect(bob).toMatchObject({ from: 0, isComplete: true });
  expect(bob.transactions).toHaveLength(250);
  expect(bob.transactions[0]).toEqual({ hash: '0xcc0xaa250', block: 250, from: ALICE, to: BOB, value: '0xfa' });
  const alice = await index.of(layer, ALICE);
  expect(alice.transactions).toHaveLength(251);
  expect(alice.transactions.find(({ block }) => block === 3)?.to).toBeNull();
  // The second answer looks at the newest block again.
  expect(read).toHaveLength(252);
});

it('the index lists what transactions created before what they called', async () => {
  const index = transactionIndex(10_000);
  // The address of the first contract that Alice creates, by the rule of CREATE.
  const created = getContractAddress({ from: `0x${'a1'.repeat(20)}`, nonce: 0n }).toLowerCase();
  expect(await index.receivers(layer)).toEqual([created, BOB]);
});

it('the index says from which block it knows, and the next answer goes on', async () => {
  const index = transactionIndex(0);
  expect(await index.of(layer, BOB)).toMatchObject({ from: 151, isComplete: false });
  // One step each time, as long as no time is left.
  expect(read).toHaveLength(100);
});

it('the index reads later blocks once, for every page', async () => {
  const index = transactionIndex(10_000);
  await index.of(layer, BOB);
  read = [];
  head = 252;
  const answers = await Promise.all([index.of(layer, BOB), index.of(layer, ALICE)]);
  expect(read.sort()).toEqual([250, 251, 252, 252]);
  expect(answers[0]?.transactions[0]?.block).toBe(252);
});

it('the index begins anew after a reorganisation', async () => {
  const index = transactionIndex(10_000);
  await index.of(layer, BOB);
  fork = { from: 240, word: '0xbb' };
  head = 251;
  const bob = await index.of(layer, BOB);
  expect(bob.transactions.slice(0, 13).map(({ hash }) => hash.slice(0, 8))).toEqual([
    ...Array.from({ length: 12 }, () => '0xcc0xbb'),
    '0xcc0xaa',
  ]);
  fork = { from: 251, word: '0xdd' };
  expect((await index.of(layer, BOB)).transactions[0]?.hash).toMatch(/^0xcc0xdd/);
  head = 100;
  expect((await index.of(layer, BOB)).transactions[0]?.block).toBe(100);
});

it('the index keeps the newest 10,000 blocks', async () => {
  head = 10_050;
  const index = transactionIndex(60_000);
  expect(await index.of(layer, BOB)).toMatchObject({ from: 51, isComplete: true });
  head = 10_060;
  expect(await index.of(layer, BOB)).toMatchObject({ from: 61, isComplete: true });
});
