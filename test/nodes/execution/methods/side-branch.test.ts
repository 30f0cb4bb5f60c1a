import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keccak256, keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info, type Payload, type Status } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, STORE } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { schedule, topic } from '../support/sample-chain.ts';

/** Stores the hashes of the last three blocks in slots 1 to 3. */
const ANCESTORS: Hex = '0x000000000000000000000000000000000000a4ce';
const ANCESTORS_CODE = `0x${[1, 2, 3].map((back) => `600${back}430340600${back}55`).join('')}00`;
/** Code that returns the hashes of the last three blocks, and the number. */
const READS_ANCESTORS = [1, 2, 3].map((back) => `600${back}43034060${hexByte(32 * back - 32)}52`).join('');
const RETURNS_ANCESTORS = `0x${READS_ANCESTORS}4360605260805ff3`;

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0');
}

let builder: TestNode;
let nodes: readonly TestNode[];
/** Block 1, and the blocks 2 to 4 on it of either branch. The nodes only know the side's 4 at the end. */
let first: Payload;
const canonical: Payload[] = [];
const side: Payload[] = [];
const statuses: Status[] = [];
let genesisHash: Hex;

/** Builds a block that stores a value, logs it, pays an account, and stores the hashes of its ancestors. */
async function build(parent: Hex, time: number, value: number): Promise<Payload> {
  const raw = await ACCOUNTS[0]!.signTransaction({
    ...{ chainId: CHAIN_ID, type: 'eip1559', nonce: value % 10, gas: 100_000n, to: LOGGER, value: BigInt(value) },
    ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, data: topic(value) },
  });
  const stored = deposit({ to: STORE, data: `${topic(1)}${topic(value).slice(2)}` });
  const transactions = [l1Info(time), stored, deposit({ to: ANCESTORS }), raw];
  return new Driver(builder.engine, schedule).build(parent, GENESIS_TIME + time, transactions, {
    fields: { noTxPool: true },
  });
}

beforeAll(async () => {
  const genesis = genesisText(schedule, { [ANCESTORS]: { code: ANCESTORS_CODE } });
  builder = await launch(genesis, { flavour: 'go' });
  nodes = [await launch(genesis, { flavour: 'go' }), await launch(genesis, { flavour: 'rust' })];
  genesisHash = (await builder.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  first = await build(genesisHash, 2, 10);
  for (const at of [1, 2, 3]) canonical.push(await build((canonical.at(-1) ?? first).hash, 2 + 2 * at, 20 + at));
  for (const at of [1, 2, 3]) side.push(await build((side.at(-1) ?? first).hash, 3 + 2 * at, 30 + at));
  for (const node of nodes) {
    const driver = new Driver(node.engine, schedule);
    for (const payload of [first, ...canonical]) await driver.import(payload);
    await driver.makeCanonical(canonical[2]!.hash);
    // The side branch comes when the other one is canonical, and never becomes so.
    for (const payload of side.slice(0, 2)) statuses.push(await driver.import(payload));
  }
});
afterAll(async () => {
  for (const node of [builder, ...nodes]) await node[Symbol.asyncDispose]();
});

const words = (data: Hex) =>
  data
    .slice(2)
    .match(/.{64}/g)!
    .map((word) => `0x${word}`);
const stateRoot = ({ envelope }: Payload) => envelope.executionPayload['stateRoot'];

describe('a block of a side branch', () => {
  test('is valid with the hashes of its own ancestors', () => {
    expect(statuses).toHaveLength(4);
    for (const status of statuses) expect(status).toMatchObject({ status: 'VALID', validationError: null });
  });

  test('is read by its hash, and not by its number', async () => {
    const block = side[1]!;
    const raw = block.envelope.executionPayload['transactions'] as Hex[];
    const place = { blockHash: block.hash, blockNumber: '0x3', transactionIndex: '0x3' };
    for (const { rpc } of nodes) {
      const shown = { hash: block.hash, number: '0x3', parentHash: side[0]!.hash, stateRoot: stateRoot(block) };
      expect(await rpc.call('eth_getBlockByHash', [block.hash, false])).toMatchObject(shown);
      expect(await rpc.call('eth_getHeaderByHash', [block.hash])).toMatchObject(shown);
      expect(await rpc.call('eth_getBlockByNumber', ['0x3', false])).toMatchObject({ hash: canonical[1]!.hash });
      expect(await rpc.call('eth_getBlockTransactionCountByHash', [block.hash])).toBe('0x4');
      expect(await rpc.call('eth_getTransactionByBlockHashAndIndex', [block.hash, '0x3'])).toMatchObject(place);
      expect(await rpc.call('eth_getRawTransactionByBlockHashAndIndex', [block.hash, '0x3'])).toBe(raw[3]);
      expect(await rpc.call('debug_getRawBlock', [block.hash])).toContain(raw[3]!.slice(2));
      const receipts = await rpc.call<Record<string, unknown>[]>('eth_getBlockReceipts', [block.hash]);
      expect(receipts[3]).toMatchObject({ ...place, transactionHash: keccak256(raw[3]!) });
      // Only canonical transactions have a place.
      expect(await rpc.call('eth_getTransactionByHash', [keccak256(raw[3]!)])).toBeNull();
      expect(await rpc.call('eth_getTransactionReceipt', [keccak256(raw[3]!)])).toBeNull();
    }
  });

  test('answers from its own state', async () => {
    for (const { rpc } of nodes)
      for (const [block, sum, value] of [
        [side[1]!, 10 + 31 + 32, 32],
        [canonical[1]!, 10 + 21 + 22, 22],
      ] as const) {
        for (const tag of [block.hash, { blockHash: block.hash }, { blockHash: block.hash, requireCanonical: false }]) {
          expect(await rpc.call('eth_getBalance', [LOGGER, tag])).toBe(quantity(sum));
          expect(await rpc.call('eth_getStorageAt', [STORE, '0x1', tag])).toBe(topic(value));
          expect(await rpc.call('eth_getTransactionCount', [ACCOUNTS[0]!.address, tag])).toBe('0x3');
          expect(await rpc.call('eth_getCode', [STORE, tag])).toBe('0x6020356000355500');
        }
        const proof = await rpc.call<{ accountProof: Hex[]; storageProof: Record<string, unknown>[] }>('eth_getProof', [
          STORE,
          ['0x1'],
          block.hash,
        ]);
        expect(bytesToHex(keccak256Bytes(hexToBytes(proof.accountProof[0]!)))).toBe(stateRoot(block));
        expect(proof.storageProof[0]).toMatchObject({ value: quantity(value) });
        const values = await rpc.call<Record<Hex, Hex[]>>('eth_getStorageValues', [{ [STORE]: ['0x1'] }, block.hash]);
        expect(values[STORE]).toEqual([topic(value)]);
      }
  });

  test('is refused when a query requires a canonical block', async () => {
    const tag = { blockHash: side[1]!.hash, requireCanonical: true };
    const [go, rust] = nodes;
    await expect(go!.rpc.call('eth_getBalance', [LOGGER, tag])).rejects.toMatchObject({
      code: -32000,
      message: 'hash is not currently canonical',
    });
    await expect(rust!.rpc.call('eth_getBalance', [LOGGER, tag])).rejects.toMatchObject({
      code: -32001,
      message: `block not found: canonical hash ${side[1]!.hash}`,
    });
    for (const { rpc } of nodes)
      expect(await rpc.call('eth_getBalance', [LOGGER, { ...tag, blockHash: canonical[1]!.hash }])).toBe(quantity(53));
  });

  test('gives calls the hashes of its own ancestors', async () => {
    const code = { [STORE]: { code: RETURNS_ANCESTORS } };
    const expected = [side[0]!.hash, first.hash, genesisHash, topic(3)];
    for (const { rpc } of nodes) {
      expect(words(await rpc.call<Hex>('eth_call', [{ to: STORE }, side[1]!.hash, code]))).toEqual(expected);
      expect(words(await rpc.call<Hex>('eth_call', [{ to: STORE }, canonical[1]!.hash, code]))[0]).toBe(
        canonical[0]!.hash,
      );
      const traced = await rpc.call<{ output: Hex }>('debug_traceCall', [
        { to: STORE },
        side[1]!.hash,
        { tracer: 'callTracer', stateOverrides: code },
      ]);
      expect(words(traced.output)).toEqual(expected);
      const simulated = await rpc.call<{ parentHash: Hex; calls: { returnData: Hex }[] }[]>('eth_simulateV1', [
        { blockStateCalls: [{ calls: [{ to: STORE }], stateOverrides: code }] },
        side[1]!.hash,
      ]);
      expect(simulated[0]!.parentHash).toBe(side[1]!.hash);
      expect(words(simulated[0]!.calls[0]!.returnData)).toEqual([side[1]!.hash, side[0]!.hash, first.hash, topic(4)]);
      const write = { to: STORE, data: `${topic(1)}${topic(32).slice(2)}` };
      const [same, other] = await Promise.all(
        [side[1]!, canonical[1]!].map(({ hash }) => rpc.call<Hex>('eth_estimateGas', [write, hash])),
      );
      // The slot has this word on one branch, and another one on the other.
      expect(BigInt(same!)).toBeLessThan(BigInt(other!));
    }
  });

  test('shows its logs by its hash alone', async () => {
    const log = {
      blockHash: side[1]!.hash,
      blockNumber: '0x3',
      transactionIndex: '0x3',
      logIndex: '0x0',
      removed: false,
    };
    for (const { rpc } of nodes) {
      expect(await rpc.call('eth_getLogs', [{ blockHash: side[1]!.hash }])).toMatchObject([
        { ...log, topics: [topic(32)] },
      ]);
      expect(await rpc.call('eth_getLogs', [{ fromBlock: '0x0', topics: [topic(32)] }])).toEqual([]);
      expect(await rpc.call('eth_getLogs', [{ fromBlock: '0x0', topics: [topic(22)] }])).toHaveLength(1);
    }
  });

  test('is traced on the state of its parent', async () => {
    for (const { rpc } of nodes) {
      const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
      type Diff = { result: { pre: Record<Hex, { storage?: object }>; post: Record<Hex, { storage?: object }> } };
      const traces = await rpc.call<Diff[]>('debug_traceBlockByHash', [side[1]!.hash, options]);
      expect(traces[1]!.result).toMatchObject({
        pre: { [STORE]: { storage: { [topic(1)]: topic(31) } } },
        post: { [STORE]: { storage: { [topic(1)]: topic(32) } } },
      });
      expect(traces[2]!.result.post[ANCESTORS]).toMatchObject({ storage: { [topic(1)]: side[0]!.hash } });
      const raw = await builder.rpc.call<Hex>('debug_getRawBlock', [side[2]!.hash]);
      // A block that the node does not know, on the side branch that it knows.
      const unknown = await rpc.call<Diff[]>('debug_traceBlock', [raw, options]);
      expect(unknown[2]!.result.post[ANCESTORS]).toMatchObject({
        storage: { [topic(1)]: side[1]!.hash, [topic(2)]: side[0]!.hash },
      });
    }
  });

  test('has a body by its hash, and none by its number', async () => {
    for (const { engine } of nodes) {
      const { transactions } = side[1]!.envelope.executionPayload;
      expect(await engine.call('engine_getPayloadBodiesByHashV1', [[side[1]!.hash]])).toMatchObject([{ transactions }]);
      const [byNumber] = await engine.call<{ transactions: Hex[] }[]>('engine_getPayloadBodiesByRangeV1', [
        '0x3',
        '0x1',
      ]);
      expect(byNumber!.transactions).toEqual(canonical[1]!.envelope.executionPayload['transactions']);
    }
  });

  test('becomes canonical with its ancestors, and what it replaces has no place any more', async () => {
    const last = (payload: Payload) => keccak256((payload.envelope.executionPayload['transactions'] as Hex[])[3]!);
    for (const node of nodes) {
      const driver = new Driver(node.engine, schedule);
      expect(await driver.import(side[2]!)).toMatchObject({ status: 'VALID' });
      await driver.makeCanonical(side[2]!.hash);
      const { rpc } = node;
      expect(await rpc.call('eth_getStorageAt', [STORE, '0x1', 'latest'])).toBe(topic(33));
      for (const [at, tag] of ['0x2', '0x3', '0x4'].entries()) {
        expect(await rpc.call('eth_getBlockByNumber', [tag, false])).toMatchObject({ hash: side[at]!.hash });
        expect(await rpc.call('eth_getTransactionReceipt', [last(side[at]!)])).toMatchObject({
          blockHash: side[at]!.hash,
        });
        expect(await rpc.call('eth_getTransactionReceipt', [last(canonical[at]!)])).toBeNull();
        expect(await rpc.call('eth_getBalance', [LOGGER, canonical[at]!.hash])).toBe(quantity([31, 53, 76][at]!));
      }
      expect(await rpc.call('eth_getStorageAt', [ANCESTORS, '0x1', 'latest'])).toBe(side[1]!.hash);
      expect(await rpc.call('eth_getLogs', [{ fromBlock: '0x0', topics: [topic(22)] }])).toEqual([]);
      await driver.makeCanonical(canonical[2]!.hash);
    }
  });
});
