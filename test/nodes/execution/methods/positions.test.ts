import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asBigInt, asBytes, asList, rlpDecode } from '../../../../src/protocol/codec/rlp.ts';
import { orderedTrieRoot } from '../../../../src/protocol/codec/trie.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { type WebSocketRpcClient, webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info, type Payload } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, REVERTER } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { schedule, topic } from '../support/sample-chain.ts';

/** Emits three logs: of topic 1, of topics 1 and 2, and of topic 2. */
const THREE: Hex = '0x0000000000000000000000000000000000003109';
const THREE_CODE = '0x600160006000a16002600160206000a2600260206020a1';

type Json = Readonly<Record<string, unknown>>;
type ExpectedLog = Json & { readonly address: Hex; readonly topics: readonly Hex[] };

/** The fields of a block's receipts and logs that depend on their place. */
interface Places {
  readonly receipts: readonly (Json & { readonly logs: readonly ExpectedLog[] })[];
  readonly logs: readonly ExpectedLog[];
}

let nodes: readonly [TestNode, TestNode];
let sockets: readonly WebSocketRpcClient[];
/** Canonical blocks 1 to 3, then the two that replace 2 and 3. */
const blocks: Payload[] = [];
let nonce = 0;

async function signed(to: Hex, data: Hex): Promise<Hex> {
  return ACCOUNTS[0]!.signTransaction({
    ...{ chainId: CHAIN_ID, type: 'eip1559', nonce: nonce++, gas: 100_000n, to, data },
    ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 7n },
  });
}

/** Builds a block on the first node, and makes it the head of both. */
async function extend(parent: Hex, time: number, transactions: readonly Hex[]): Promise<Payload> {
  const [builder, follower] = nodes.map(({ engine }) => new Driver(engine, schedule));
  const payload = await builder!.build(parent, GENESIS_TIME + time, transactions, { fields: { noTxPool: true } });
  await follower!.import(payload);
  await follower!.makeCanonical(payload.hash);
  blocks.push(payload);
  return payload;
}

beforeAll(async () => {
  const genesis = genesisText(schedule, { [THREE]: { code: THREE_CODE } });
  nodes = [await launch(genesis, { flavour: 'go' }), await launch(genesis, { flavour: 'rust' })];
  sockets = nodes.map(({ wsUrl }) => webSocketClient({ url: wsUrl }));
  const { hash } = await nodes[0].rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  const three = () => signed(THREE, '0x');
  const user = deposit({ to: THREE });
  const first = await extend(hash, 2, [l1Info(1), user, await three(), await signed(REVERTER, '0x'), await three()]);
  await extend(first.hash, 4, [l1Info(2), await signed(LOGGER, topic(2)), await three()]);
  await extend(blocks[1]!.hash, 6, [l1Info(3), await three(), await signed(LOGGER, topic(1))]);
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  for (const node of nodes) await node[Symbol.asyncDispose]();
});

/** Reads the places from the encoded receipts of a block, whose root is that of its header. */
async function placesOf({ rpc }: TestNode, block: Payload): Promise<Places> {
  const raw = await rpc.call<Hex[]>('debug_getRawReceipts', [block.hash]);
  const { executionPayload } = block.envelope;
  const transactions = executionPayload['transactions'] as Hex[];
  expect(bytesToHex(orderedTrieRoot(raw.map(hexToBytes)))).toBe(executionPayload['receiptsRoot']);
  const at = { blockHash: block.hash, blockNumber: quantity(block.number) };
  let [before, logIndex] = [0n, 0];
  const receipts = raw.map((receipt, index) => {
    const bytes = hexToBytes(receipt);
    const [status, gas, , logs] = asList(rlpDecode(bytes[0]! < 0xc0 ? bytes.subarray(1) : bytes), 'receipt');
    const cumulative = asBigInt(gas, 'gas');
    const place = { ...at, transactionHash: keccak256(transactions[index]!), transactionIndex: quantity(index) };
    const shown = {
      ...place,
      status: quantity(asBigInt(status, 'status')),
      cumulativeGasUsed: quantity(cumulative),
      gasUsed: quantity(cumulative - before),
      logs: asList(logs, 'logs').map((log): ExpectedLog => {
        const [address, topics, data] = asList(log, 'log');
        return {
          ...{ ...place, logIndex: quantity(logIndex++), removed: false },
          address: bytesToHex(asBytes(address, 'address')),
          topics: asList(topics, 'topics').map((one) => bytesToHex(asBytes(one, 'topic'))),
          data: bytesToHex(asBytes(data, 'data')),
        };
      }),
    };
    before = cumulative;
    return shown;
  });
  return { receipts, logs: receipts.flatMap(({ logs }) => logs) };
}

/** Removes the timestamp of the block, which one flavour adds to logs. */
const plain = (logs: readonly Json[]) => logs.map(({ blockTimestamp: _, ...log }) => log);

/** Filters of logs, each with the condition that it states. */
const FILTERS: readonly (readonly [string, Json, (log: ExpectedLog) => boolean])[] = [
  ['nothing', {}, () => true],
  ['an address', { address: THREE }, ({ address }) => address === THREE],
  ['a first topic', { topics: [topic(2)] }, ({ topics }) => topics[0] === topic(2)],
  ['a second topic', { topics: [null, topic(2)] }, ({ topics }) => topics[1] === topic(2)],
  [
    'an address and a topic',
    { address: LOGGER, topics: [topic(1)] },
    ({ address, topics }) => address === LOGGER && topics[0] === topic(1),
  ],
];

describe('positions equal those of the encoded receipts', () => {
  test('in receipts of a block and of a transaction', async () => {
    for (const node of nodes)
      for (const block of blocks) {
        const { receipts, logs } = await placesOf(node, block);
        expect(logs.length).toBeGreaterThan(3);
        for (const name of [block.hash, quantity(block.number)])
          expect(await node.rpc.call('eth_getBlockReceipts', [name])).toMatchObject(receipts.map(withoutLogs));
        const whole = await node.rpc.call<{ logs: Json[] }[]>('eth_getBlockReceipts', [block.hash]);
        expect(whole.flatMap((receipt) => plain(receipt.logs))).toEqual(logs);
        for (const { logs: own, ...receipt } of receipts) {
          const found = await node.rpc.call<{ logs: Json[] }>('eth_getTransactionReceipt', [
            receipt['transactionHash'],
          ]);
          expect(found).toMatchObject(receipt);
          expect(plain(found.logs)).toEqual(own);
        }
      }
  });

  test.each(FILTERS)('in logs that a filter of %s finds', async (_, filter, meets) => {
    for (const node of nodes) {
      const expected = (await Promise.all(blocks.map((block) => placesOf(node, block)))).map(({ logs }) =>
        logs.filter(meets),
      );
      const ask = async (fields: Json) => plain(await node.rpc.call<Json[]>('eth_getLogs', [{ ...filter, ...fields }]));
      expect(await ask({ fromBlock: 'earliest' })).toEqual(expected.flat());
      expect(await ask({ fromBlock: '0x2', toBlock: '0x2' })).toEqual(expected[1]);
      for (const [at, { hash }] of blocks.entries()) expect(await ask({ blockHash: hash })).toEqual(expected[at]);
      const id = await node.rpc.call('eth_newFilter', [{ ...filter, fromBlock: '0x1' }]);
      expect(plain(await node.rpc.call<Json[]>('eth_getFilterLogs', [id]))).toEqual(expected.flat());
      await node.rpc.call('eth_uninstallFilter', [id]);
    }
  });

  test('in transactions, by hash and by index', async () => {
    for (const { rpc } of nodes)
      for (const { hash: blockHash, number, envelope } of blocks) {
        const raw = envelope.executionPayload['transactions'] as Hex[];
        for (const [index, bytes] of raw.entries()) {
          const place = {
            blockHash,
            blockNumber: quantity(number),
            transactionIndex: quantity(index),
            hash: keccak256(bytes),
          };
          expect(await rpc.call('eth_getTransactionByHash', [place.hash])).toMatchObject(place);
          expect(await rpc.call('eth_getTransactionByBlockHashAndIndex', [blockHash, quantity(index)])).toMatchObject(
            place,
          );
          const byNumber = [quantity(number), quantity(index)];
          expect(await rpc.call('eth_getTransactionByBlockNumberAndIndex', byNumber)).toMatchObject(place);
          expect(await rpc.call('eth_getRawTransactionByBlockHashAndIndex', [blockHash, quantity(index)])).toBe(bytes);
        }
        const past = [blockHash, quantity(raw.length)];
        expect(await rpc.call('eth_getTransactionByBlockHashAndIndex', past)).toBeNull();
      }
  });

  test('in traces', async () => {
    const [go, rust] = nodes;
    for (const block of blocks) {
      const { receipts } = await placesOf(go, block);
      const hashes = receipts.map(({ transactionHash }) => transactionHash);
      const options = { tracer: 'callTracer', tracerConfig: { withLog: true } };
      for (const { rpc } of nodes) {
        const traced = await rpc.call<{ txHash: Hex; result: { gasUsed: Hex; logs?: Json[] } }[]>(
          'debug_traceBlockByHash',
          [block.hash, options],
        );
        expect(traced.map(({ txHash }) => txHash)).toEqual(hashes);
        expect(traced.map(({ result }) => result.gasUsed)).toEqual(receipts.map(({ gasUsed }) => gasUsed));
        expect(traced.map(({ result }) => (result.logs ?? []).length)).toEqual(receipts.map(({ logs }) => logs.length));
      }
      const parity = await rust.rpc.call<Json[]>('trace_block', [quantity(block.number)]);
      expect(
        parity.map(({ blockHash, blockNumber, transactionHash, transactionPosition }) => [
          blockHash,
          blockNumber,
          transactionHash,
          transactionPosition,
        ]),
      ).toEqual(hashes.map((hash, index) => [block.hash, block.number, hash, index]));
    }
  });

  test('in filters and subscriptions, when a reorganisation replaces two blocks', async () => {
    const ids = await Promise.all(nodes.map(({ rpc }) => rpc.call('eth_newFilter', [{ topics: [topic(2)] }])));
    const pushed = nodes.map((): Json[] => []);
    for (const [at, socket] of sockets.entries())
      await socket.subscribe(
        ['logs', { topics: [topic(2)] }],
        (log) => pushed[at]!.push(log as Json),
        () => {},
      );
    const removed = blocks.splice(1);
    nonce = 3;
    const [first] = blocks;
    const raws = [await signed(LOGGER, topic(2)), await signed(THREE, '0x'), await signed(THREE, '0x')];
    await extend(first!.hash, 8, [l1Info(4), raws[0]!]);
    await extend(blocks[1]!.hash, 10, [l1Info(5), raws[1]!, deposit({ to: THREE }), raws[2]!]);
    const meets = ({ topics }: ExpectedLog) => topics[0] === topic(2);
    for (const [at, node] of nodes.entries()) {
      // A removed log has the position that it had.
      const old = (await Promise.all(removed.map((block) => placesOf(node, block)))).flatMap(({ logs }) =>
        logs.filter(meets),
      );
      const added = (await Promise.all(blocks.slice(1).map((block) => placesOf(node, block)))).flatMap(({ logs }) =>
        logs.filter(meets),
      );
      const byPlace = (left: Json, right: Json) => JSON.stringify(left).localeCompare(JSON.stringify(right));
      const expected = [...old.map((log) => ({ ...log, removed: true })), ...added];
      const changes = plain(await node.rpc.call<Json[]>('eth_getFilterChanges', [ids[at]]));
      expect(changes.map(sorted).sort(byPlace)).toEqual(expected.map(sorted).sort(byPlace));
      await expect.poll(() => pushed[at]!.length).toBe(expected.length);
      expect(plain(pushed[at]!)).toEqual(changes);
      expect(plain(await node.rpc.call<Json[]>('eth_getLogs', [{ fromBlock: '0x2', topics: [topic(2)] }]))).toEqual(
        added,
      );
    }
  });
});

const withoutLogs = ({ logs: _, ...receipt }: Places['receipts'][0]) => receipt;
const sorted = (log: Json) =>
  Object.fromEntries(Object.entries(log).sort(([left], [right]) => (left < right ? -1 : 1)));
