import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectL1, type L1Connection, type L1ConnectionOptions } from '../../../../src/nodes/rollup/l1/connect.ts';
import { watchHeadChanges } from '../../../../src/nodes/rollup/l1/watch.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { WebSocketRpcClient } from '../../../../src/rpc/client/websocket-client.ts';
import { standaloneChannel } from '../../../../src/system/channel/channel.ts';
import { manualClock, settle } from '../support/clock.ts';
import { eventually } from '../support/devnet.ts';
import { silent } from '../support/scripted.ts';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An L1 endpoint that counts requests, and holds its answers until `release`. */
interface Endpoint {
  readonly url: string;
  readonly messages: (readonly Request[])[];
  mostUnderWay(): number;
  /** Holds answers until the returned function is called. */
  hold(): () => void;
}

const servers: Server[] = [];
const connections: L1Connection[] = [];
let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
  for (const connection of connections.splice(0)) connection.close();
  for (const server of servers.splice(0)) server.close();
});

const word = (value: number | string) => `0x${value.toString(16).padStart(64, '0')}` as Hex;

async function endpoint(): Promise<Endpoint> {
  const messages: (readonly Request[])[] = [];
  let underWay = 0;
  let most = 0;
  let gate: Promise<void> | undefined;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++underWay);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Request | Request[];
    messages.push([body].flat());
    await gate;
    const answers = [body]
      .flat()
      .map(({ id, method, params }) => ({ jsonrpc: '2.0', id, result: answer(method, params) }));
    underWay--;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    mostUnderWay: () => most,
    hold() {
      let release: () => void = () => {};
      gate = new Promise((resolve) => {
        release = () => {
          gate = undefined;
          resolve();
        };
      });
      return release;
    },
  };
}

/** Blocks without transactions. Their hash is their number; each label has block 7. */
function answer(method: string, [which]: readonly unknown[]): unknown {
  if (method === 'eth_getStorageAt') return word(0);
  if (!method.startsWith('eth_getBlockBy')) throw new Error(`unexpected ${method}`);
  const number = String(which).startsWith('0x') ? Number(which) : 7;
  return {
    hash: word(number),
    number: `0x${number.toString(16)}`,
    parentHash: word(99),
    timestamp: '0x1',
    mixHash: word(0),
    transactions: [],
  };
}

function connect({ url }: Endpoint, options: Partial<L1ConnectionOptions>): L1Connection {
  const connection = connectL1({
    url,
    maxBatch: 20,
    maxConcurrency: 10,
    rateLimit: 0,
    cacheSize: 900,
    trusted: true,
    kind: 'standard',
    beacons: [],
    beaconHeader: undefined,
    log: silent,
    ...options,
  });
  connections.push(connection);
  return connection;
}
const sizes = ({ messages }: Endpoint) => messages.map((message) => message.length);
const asking = ({ client }: L1Connection, count: number) =>
  Promise.all(Array.from({ length: count }, (_, number) => client.headerByNumber(number)));
const labels = ({ messages }: Endpoint, label: string) =>
  messages.flat().filter(({ params }) => params[0] === label).length;

describe('what L1 is asked', () => {
  it.each([
    [1, [1, 1, 1, 1, 1, 1, 1]],
    [3, [3, 3, 1]],
    [20, [7]],
  ])('l1.rpc-max-batch-size=%i bounds a message', async (maxBatch, expected) => {
    const l1 = await endpoint();
    await asking(connect(l1, { maxBatch }), 7);
    expect(sizes(l1).sort((a, b) => b - a)).toEqual(expected);
  });

  it.each([1, 2, 5])('l1.max-concurrency=%i bounds the messages in flight', async (maxConcurrency) => {
    const l1 = await endpoint();
    const release = l1.hold();
    const answers = asking(connect(l1, { maxConcurrency, maxBatch: 1 }), 12);
    await eventually(async () => (l1.messages.length >= maxConcurrency ? true : undefined));
    expect(l1.messages).toHaveLength(maxConcurrency);
    release();
    await answers;
    expect(l1.mostUnderWay()).toBe(maxConcurrency);
    expect(l1.messages).toHaveLength(12);
  });

  it.each([4, 15])(
    'l1.rpc-rate-limit=%i bounds the requests of a second, each of a batch counted',
    async (rateLimit) => {
      const l1 = await endpoint();
      const release = l1.hold();
      const start = performance.now();
      const answers = asking(connect(l1, { rateLimit, maxBatch: 2, maxConcurrency: 100 }), rateLimit + 2);
      await eventually(async () => (l1.messages.flat().length >= rateLimit ? true : undefined));
      const sent = l1.messages.flat().length;
      expect(sent).toBeLessThanOrEqual(rateLimit * (1 + (performance.now() - start) / 1000));
      release();
      await answers;
      expect(l1.messages.flat()).toHaveLength(rateLimit + 2);
    },
  );

  it.each([
    [3, 5 + 2],
    [5, 5],
  ])('l1.cache-size=%i keeps that many blocks', async (cacheSize, requests) => {
    const l1 = await endpoint();
    const { client } = connect(l1, { cacheSize });
    for (const number of [0, 1, 2, 3, 4, 4, 3, 2, 1, 0]) await client.headerByHash(word(number));
    expect(l1.messages.flat()).toHaveLength(requests);
  });

  it('l1.http-poll-interval polls the head, l1.epoch-poll-interval the safe and finalized block, 0 never', async () => {
    const options = { log: silent, signal: stopping.signal, socket: undefined, onBlock: () => {} };
    const [often, seldom] = [await endpoint(), await endpoint()];
    watchHeadChanges({
      ...options,
      clock: standaloneChannel(),
      client: connect(often, {}).client,
      headPollMs: 20,
      epochPollMs: 0,
    });
    watchHeadChanges({
      ...options,
      clock: standaloneChannel(),
      client: connect(seldom, {}).client,
      headPollMs: 3_600_000,
      epochPollMs: 20,
    });
    await eventually(async () => (labels(often, 'latest') >= 5 && labels(seldom, 'finalized') >= 5 ? true : undefined));
    expect([labels(often, 'safe'), labels(often, 'finalized')]).toEqual([0, 0]);
    expect(labels(seldom, 'latest')).toBe(1);
    expect(Math.abs(labels(seldom, 'safe') - labels(seldom, 'finalized'))).toBeLessThanOrEqual(1);
  });

  it('the safe and finalized block are requested at each head of a subscription, else when due', async () => {
    const l1 = await endpoint();
    const { client } = connect(l1, {});
    const clock = manualClock(1_000_000);
    let announce: (item: unknown) => void = () => {};
    const socket: WebSocketRpcClient = {
      call: () => Promise.reject(new Error('not asked')),
      batch: () => Promise.reject(new Error('not asked')),
      close: () => {},
      async subscribe(_, onItem) {
        announce = onItem;
        return '0x1';
      },
    };
    const options = { client, socket, clock, log: silent, signal: stopping.signal, headPollMs: 0, epochPollMs: 2000 };
    watchHeadChanges({ ...options, onBlock: () => {} });
    await eventually(async () => labels(l1, 'finalized') === 1 || undefined);
    for (const [at, polls] of [
      [1000, 1],
      [2000, 2],
      [4000, 3],
    ] as const) {
      clock.moveTo(1_000_000 + at);
      announce(answer('eth_getBlockByNumber', [word(at)]));
      await settle();
      await eventually(async () => labels(l1, 'finalized') === polls || undefined);
    }
    clock.moveTo(1_006_000);
    await settle();
    expect(labels(l1, 'finalized')).toBe(3);
    clock.moveTo(1_006_500);
    await eventually(async () => labels(l1, 'finalized') === 4 || undefined);
    expect(labels(l1, 'safe')).toBe(4);
  });
});
