import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { Driver, l1Info, type Payload, ZERO } from '../support/driver.ts';
import { forgePayload } from '../support/forge-payload.ts';
import { GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';

const schedule = upTo('jovian');
const UNKNOWN: Hex = `0x${'cd'.repeat(32)}`;
let source: TestNode;
let node: TestNode;
let builder: Driver;
let driver: Driver;
let genesis: Hex;

beforeAll(async () => {
  source = await launch(genesisText(schedule), { flavour: 'go' });
  builder = new Driver(source.engine, schedule);
  genesis = (await source.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
});
afterAll(() => source[Symbol.asyncDispose]());

beforeEach(async () => {
  node = await launch(genesisText(schedule));
  driver = new Driver(node.engine, schedule);
  return () => node[Symbol.asyncDispose]();
});

/** Builds a chain of blocks on the other node. `branch` separates chains. */
async function chain(length: number, parent: { hash: Hex; number: number }, branch: number): Promise<Payload[]> {
  const blocks: Payload[] = [];
  await builder.makeCanonical(parent.hash);
  let at = parent;
  for (let count = 0; count < length; count++) {
    const time = GENESIS_TIME + 2 * (at.number + 1);
    const block = await builder.build(at.hash, time, [l1Info(branch * 1000 + at.number)], {
      fields: { noTxPool: true },
    });
    blocks.push(block);
    at = block;
  }
  return blocks;
}

const block = (tag: string) => node.rpc.call<{ hash: Hex; number: Hex } | null>('eth_getBlockByNumber', [tag, false]);

test('a payload under the hash of a known block is checked like any other', async () => {
  const [one] = await chain(1, { hash: genesis, number: 0 }, 1);
  expect((await driver.import(one!)).status).toBe('VALID');
  const executionPayload = { ...one!.envelope.executionPayload, gasUsed: '0x1' };
  const status = await driver.import({ ...one!, envelope: { ...one!.envelope, executionPayload } });
  expect(status).toMatchObject({ status: 'INVALID', latestValidHash: null });
});

test('every descendant of an invalid block is invalid, with the last valid ancestor', async () => {
  const [one, two, three, four] = (await chain(4, { hash: genesis, number: 0 }, 2)) as [
    Payload,
    Payload,
    Payload,
    Payload,
  ];
  const bad = forgePayload(schedule, two, { stateRoot: UNKNOWN });
  const child = forgePayload(schedule, three, { parentHash: bad.hash });
  const grandchild = forgePayload(schedule, four, { parentHash: child.hash });
  expect((await driver.import(one)).status).toBe('VALID');
  expect((await driver.import(bad)).latestValidHash).toBe(one.hash);
  for (const payload of [bad, child, grandchild, grandchild]) {
    expect(await driver.import(payload)).toMatchObject({ status: 'INVALID', latestValidHash: one.hash });
    expect((await driver.makeCanonical(payload.hash)).payloadStatus).toMatchObject({
      status: 'INVALID',
      latestValidHash: one.hash,
      validationError: expect.stringContaining('stateRoot'),
    });
  }
  expect((await driver.import(two)).status).toBe('VALID');
  expect((await driver.makeCanonical(two.hash)).payloadStatus.status).toBe('VALID');
});

test('payloads that arrive before their ancestors are executed when a forkchoice names them', async () => {
  const blocks = await chain(5, { hash: genesis, number: 0 }, 3);
  for (const payload of blocks.slice(1).reverse()) expect((await driver.import(payload)).status).toBe('SYNCING');
  const last = blocks.at(-1)!;
  expect((await driver.makeCanonical(last.hash)).payloadStatus.status).toBe('SYNCING');
  expect((await driver.import(blocks[0]!)).status).toBe('VALID');
  expect((await driver.makeCanonical(last.hash)).payloadStatus).toMatchObject({
    status: 'VALID',
    latestValidHash: last.hash,
  });
  expect((await block('latest'))?.hash).toBe(last.hash);
});

test('an invalid block among buffered ones makes the head invalid', async () => {
  const [one, two, three] = (await chain(3, { hash: genesis, number: 0 }, 4)) as [Payload, Payload, Payload];
  const bad = forgePayload(schedule, two, { gasUsed: '0x5209' });
  const child = forgePayload(schedule, three, { parentHash: bad.hash });
  expect((await driver.import(child)).status).toBe('SYNCING');
  expect((await driver.import(bad)).status).toBe('SYNCING');
  expect((await driver.import(one)).status).toBe('VALID');
  const invalid = { status: 'INVALID', latestValidHash: one.hash };
  expect((await driver.makeCanonical(child.hash)).payloadStatus).toMatchObject(invalid);
  expect((await driver.makeCanonical(child.hash)).payloadStatus).toMatchObject(invalid);
});

test('a side chain is executed at once, and either branch can be chosen from any depth', async () => {
  const left = await chain(70, { hash: genesis, number: 0 }, 5);
  const right = await chain(75, left[2]!, 6);
  for (const payload of [...left, ...right]) expect((await driver.import(payload)).status).toBe('VALID');
  for (const [branch, number] of [
    [left, 70],
    [right, 78],
    [left, 70],
  ] as const) {
    const head = branch.at(-1)!;
    expect((await driver.makeCanonical(head.hash, undefined, left[2]!.hash)).payloadStatus.status).toBe('VALID');
    expect(await block('latest')).toMatchObject({ hash: head.hash, number: `0x${number.toString(16)}` });
    expect((await block('0x32'))?.hash).toBe(branch.find((payload) => payload.number === 50)!.hash);
    expect((await block('finalized'))?.hash).toBe(left[2]!.hash);
  }
  expect(await block('0x47')).toBeNull();
});

test('inconsistent labels are refused with their error code and change nothing', async () => {
  const left = await chain(3, { hash: genesis, number: 0 }, 7);
  const right = await chain(2, { hash: genesis, number: 0 }, 8);
  for (const payload of [...left, ...right]) await driver.import(payload);
  await driver.makeCanonical(left[1]!.hash, undefined, left[0]!.hash);
  for (const [safe, finalized] of [
    [UNKNOWN, ZERO],
    [ZERO, UNKNOWN],
    [right[0]!.hash, ZERO],
    [ZERO, right[1]!.hash],
  ]) {
    const state = { headBlockHash: left[2]!.hash, safeBlockHash: safe, finalizedBlockHash: finalized };
    await expect(node.engine.call('engine_forkchoiceUpdatedV3', [state, null])).rejects.toMatchObject({ code: -38002 });
  }
  expect((await block('latest'))?.hash).toBe(left[1]!.hash);
  expect((await block('safe'))?.hash).toBe(left[0]!.hash);
});

test('an ancestor as head rewinds the chain, its labels with it, and can be built upon', async () => {
  const blocks = await chain(6, { hash: genesis, number: 0 }, 9);
  for (const payload of blocks) await driver.import(payload);
  await driver.makeCanonical(blocks[5]!.hash, undefined, blocks[4]!.hash);
  const attributes = driver.attributes(GENESIS_TIME + 100, [l1Info(99)], { noTxPool: true });
  const { payloadId } = await driver.makeCanonical(blocks[1]!.hash, attributes);
  expect((await block('latest'))?.hash).toBe(blocks[1]!.hash);
  for (const label of ['safe', 'finalized']) expect((await block(label))?.hash).toBe(blocks[1]!.hash);
  const built = await driver.payload(payloadId!, GENESIS_TIME + 100);
  expect(built.envelope.executionPayload['parentHash']).toBe(blocks[1]!.hash);
});

test('debug_setHead rolls the chain back, and a forkchoice moves it forward again', async () => {
  const blocks = await chain(4, { hash: genesis, number: 0 }, 12);
  for (const payload of blocks) await driver.import(payload);
  await driver.makeCanonical(blocks[3]!.hash, undefined, blocks[2]!.hash);
  await expect(node.rpc.call('debug_setHead', ['0x5'])).rejects.toMatchObject({ code: -32000 });
  expect(await node.rpc.call('debug_setHead', ['0x1'])).toBeNull();
  for (const label of ['latest', 'safe', 'finalized']) expect((await block(label))?.hash).toBe(blocks[0]!.hash);
  expect(await block('0x2')).toBeNull();
  expect((await driver.makeCanonical(blocks[3]!.hash)).payloadStatus.status).toBe('VALID');
  expect((await block('latest'))?.hash).toBe(blocks[3]!.hash);
});

test('wrong attributes do not prevent the new head', async () => {
  const [one] = await chain(1, { hash: genesis, number: 0 }, 10);
  await driver.import(one!);
  const attributes = driver.attributes(GENESIS_TIME + 4, [l1Info(1)], { gasLimit: null });
  await expect(driver.makeCanonical(one!.hash, attributes)).rejects.toMatchObject({ code: -38003 });
  expect((await block('latest'))?.hash).toBe(one!.hash);
  const older = driver.attributes(GENESIS_TIME + 4, [l1Info(1)]);
  const state = { headBlockHash: genesis, safeBlockHash: ZERO, finalizedBlockHash: ZERO };
  await expect(node.engine.call('engine_forkchoiceUpdatedV2', [state, older])).rejects.toMatchObject({ code: -38005 });
  expect((await block('latest'))?.hash).toBe(genesis);
});

test.each<[string, Record<string, unknown>, object]>([
  ['withdrawals in the payload', { withdrawals: [{}] }, { status: 'INVALID', latestValidHash: null }],
  ['a field that its version must have', { blobGasUsed: null }, { code: -32602 }],
  ['a field of the wrong length', { prevRandao: '0x12' }, { code: -32602 }],
])('%s is answered with its kind of error', async (_, fields, expected) => {
  const [one] = await chain(1, { hash: genesis, number: 0 }, 11);
  const executionPayload = { ...one!.envelope.executionPayload, ...fields };
  const answer = await driver
    .import({ ...one!, envelope: { ...one!.envelope, executionPayload } })
    .catch((error) => error);
  expect(answer).toMatchObject(expected);
});

test.each<[string, Record<string, unknown>]>([
  ['withdrawals', { withdrawals: [{}] }],
  ['no gas limit', { gasLimit: null }],
  ['a forced transaction of an unknown type', { transactions: [l1Info(1), '0x7d01'] }],
  ['more forced gas than the block has', { gasLimit: '0x5208' }],
])('attributes with %s are refused as invalid', async (_, fields) => {
  await expect(
    driver.makeCanonical(genesis, driver.attributes(GENESIS_TIME + 2, [l1Info(1)], fields)),
  ).rejects.toMatchObject({
    code: -38003,
  });
});
