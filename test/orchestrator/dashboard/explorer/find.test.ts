import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { find } from '../../../../src/orchestrator/dashboard/explorer/find.ts';
import { namesAt } from '../../../../src/orchestrator/inspect/contract-names.ts';
import { inspectorOf } from '../../../../src/orchestrator/inspect/inspector.ts';
import type { Layer } from '../../../../src/orchestrator/inspect/layer.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { twoChainsAt } from '../answering-plan.ts';
import { type AnsweringNode, answeringNode } from '../rpc-answers.ts';

const [TRANSACTION, BLOCK] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
const [ACCOUNT, COUNTER, CODE] = [`0x${'a1'.repeat(20)}`, `0x${'c0'.repeat(20)}`, `0x${'60'.repeat(40)}`];
let node: AnsweringNode;
let plan: Plan;

beforeAll(async () => {
  node = await answeringNode((method, [hash]) => {
    if (method === 'eth_getTransactionByHash') return hash === TRANSACTION ? { hash } : null;
    if (method === 'eth_getCode') return hash === COUNTER ? CODE : '0x';
    return hash === BLOCK ? { hash } : null;
  });
  plan = twoChainsAt(node.url);
});
afterAll(() => node.close());

// The files of this plan are not written: a batch inbox has no name.
const names = (layer: Layer) => namesAt(plan, layer, []);
const index = { receivers: async () => [] };
const finds = (word: string, chain = 'two') => find({ ...inspectorOf(plan), names }, { chain, index }, word);

it('the search finds a number on the chain that is shown', async () => {
  expect(await finds('1,234')).toEqual([{ text: 'block 1234 of two', to: '#/blocks/two/1234' }]);
});

it('the search finds a hash on any chain that answers', async () => {
  expect(await finds(TRANSACTION)).toEqual([{ text: 'transaction on one', to: `#/blocks/one/tx/${TRANSACTION}` }]);
  expect(await finds(BLOCK)).toEqual([{ text: 'block of one', to: `#/blocks/one/${BLOCK}` }]);
  expect(await finds(`0x${'33'.repeat(32)}`)).toEqual([]);
});

it('the search finds an address on the chain that is shown', async () => {
  const address = `0x${'ab'.repeat(20)}`;
  expect(await finds(address)).toEqual([{ text: address, to: `#/blocks/two/address/${address}` }]);
});

it('the search finds names of every chain, those with exactly this name first', async () => {
  const texts = (await finds('L1BLOCK')).map(({ text }) => text);
  expect(texts.slice(0, 2)).toEqual(['l1Block on one', 'l1Block on two']);
  expect((await finds('account')).length).toBe(20);
  expect(await finds('no such name')).toEqual([]);
});

it('the search finds a contract of the ABI folder that a transaction created or called', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-find-'));
  const artifact = { contractName: 'Counter', abi: [], deployedBytecode: { object: CODE } };
  writeFileSync(join(folder, 'Counter.json'), JSON.stringify(artifact));
  const receivers = async ({ label }: Layer) => (label.startsWith('one') ? [ACCOUNT, COUNTER] : []);
  const inspector = inspectorOf({ ...plan, abi: folder });
  const namesOf = (layer: Layer) => (layer.kind === 'l1' ? new Map<string, string>() : inspector.names(layer));
  const search = (word: string) => find({ ...inspector, names: namesOf }, { chain: 'two', index: { receivers } }, word);
  expect(await search('counter')).toEqual([{ text: 'Counter on one', to: `#/blocks/one/address/${COUNTER}` }]);
  rmSync(folder, { recursive: true });
});
