import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { genesisText } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { schedule } from '../support/sample-chain.ts';

/** JSON-RPC behaviour outside the methods: the go flavour follows geth's `rpc` package, the rust flavour jsonrpsee. */
const limits = { batch: 3, batchResponse: 300, response: 5000, body: 20_000, message: 20_000 };
const flavours = ['go', 'rust'] as const;
let nodes: Record<(typeof flavours)[number], TestNode>;

beforeAll(async () => {
  const [go, rust] = await Promise.all(flavours.map((flavour) => launch(genesisText(schedule), { flavour, limits })));
  nodes = { go: go!, rust: rust! };
});
afterAll(() => Promise.all(flavours.map((flavour) => nodes[flavour][Symbol.asyncDispose]())));

function overHttp(url: string, body: string, method = 'POST'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method, headers }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    call.on('error', reject).end(body);
  });
}

function overWebSocket(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on('open', () => socket.send(body));
    socket.on('message', (data: Buffer) => {
      resolve(data.toString());
      socket.close();
    });
    socket.on('error', reject).on('close', (code) => reject(new Error(`closed with ${code}`)));
  });
}

const call = (id: unknown, name = 'eth_chainId', ...params: unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method: name,
  params,
});
const failed = (id: unknown, code: number, message: string, data?: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});
const answered = (id: unknown, result: unknown = '0x385') => ({ jsonrpc: '2.0', id, result });
const notification = { jsonrpc: '2.0', method: 'eth_chainId' };
const big = call(1, 'web3_sha3', `0x${'00'.repeat(10_000)}`);
const block = ['eth_getBlockByNumber', '0x0', false] as const;

test.each<[string, unknown, unknown, unknown]>([
  ['text that is not JSON', '{"jsonrpc', failed(null, -32700, 'parse error'), failed(null, -32700, 'Parse error')],
  ['a number', 7, failed(null, -32600, 'invalid request'), failed(null, -32700, 'Parse error')],
  ['an object without id', {}, failed(null, -32600, 'invalid request'), failed(null, -32700, 'Parse error')],
  [
    'a request without version',
    { id: 3, method: 'eth_chainId' },
    failed(3, -32600, 'invalid request'),
    failed(3, -32600, 'Invalid request'),
  ],
  [
    'a request without method',
    { jsonrpc: '2.0', id: 'a' },
    failed('a', -32600, 'invalid request'),
    failed('a', -32600, 'Invalid request'),
  ],
  ['an id of null', call(null), answered(null), answered(null)],
  [
    'an unknown method',
    call(1, 'eth_none'),
    failed(1, -32601, 'the method eth_none does not exist/is not available'),
    failed(1, -32601, 'Method not found'),
  ],
  [
    'too few parameters',
    call(1, 'eth_getBlockByHash'),
    failed(1, -32602, 'missing value for required argument 0'),
    failed(1, -32602, 'Invalid params', 'missing value for required argument 0'),
  ],
  [
    'a block without saying whether its transactions are whole',
    call(1, 'eth_getBlockByNumber', 'latest'),
    failed(1, -32602, 'missing value for required argument 1'),
    failed(1, -32602, 'Invalid params', 'missing value for required argument 1'),
  ],
  [
    'a wrong parameter',
    call(1, 'eth_getBlockByHash', '0x1', false),
    failed(1, -32602, 'invalid argument 0: expected a 32-byte hash'),
    failed(1, -32602, 'Invalid params', 'invalid argument 0: expected a 32-byte hash'),
  ],
  [
    'a parameter without what it must have',
    call(1, 'eth_simulateV1', {}),
    failed(1, -32602, 'invalid argument 0.blockStateCalls: expected array, found nothing'),
    failed(1, -32602, 'Invalid params', 'invalid argument 0.blockStateCalls: expected array, found nothing'),
  ],
  [
    'too many parameters',
    call(1, 'eth_chainId', 1),
    failed(1, -32602, 'too many arguments, want at most 0'),
    answered(1),
  ],
  ['an empty batch', [], failed(null, -32600, 'empty batch'), failed(null, -32600, 'Invalid request')],
  [
    'a batch of what is no request',
    [1, { id: 2 }],
    [failed(null, -32600, 'invalid request'), failed(2, -32600, 'invalid request')],
    [failed(null, -32600, 'Invalid request'), failed(2, -32600, 'Invalid request')],
  ],
  ['a batch with a notification', [call(1), notification], [answered(1)], [answered(1)]],
  ['a notification', notification, '', ''],
  ['a batch of notifications', [notification, notification], '', ''],
  [
    'a batch over the limit',
    [notification, call(1), call(2), call(3)],
    [failed(1, -32600, 'batch too large')],
    failed(null, -32010, 'The batch request was too large', 'Exceeded max limit of 3'),
  ],
  [
    'a batch with answers over the limit',
    [call(1, ...block), call(2)],
    [expect.objectContaining({ id: 1, result: expect.anything() }), failed(2, -32003, 'response too large')],
    failed(null, -32011, 'The batch response was too large', 'Exceeded max limit of 300'),
  ],
])('%s', async (_, body, go, rust) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const expected = { go, rust };
  for (const flavour of flavours) {
    const { status, text: answer } = await overHttp(nodes[flavour].url, text);
    expect(status).toBe(200);
    expect(answer === '' ? '' : JSON.parse(answer)).toEqual(expected[flavour]);
    if (expected[flavour] === '') continue;
    expect(JSON.parse(await overWebSocket(nodes[flavour].wsUrl, text))).toEqual(expected[flavour]);
  }
});

test('the server refuses a body over the limit', async () => {
  const text = JSON.stringify(big);
  const tooBig = failed(null, -32007, 'Request is too big', 'Exceeded max limit of 20000');
  expect(await overHttp(nodes.go.url, text)).toMatchObject({ status: 413 });
  const refused = await overHttp(nodes.rust.url, text);
  expect([refused.status, JSON.parse(refused.text)]).toEqual([413, tooBig]);
  await expect(overWebSocket(nodes.go.wsUrl, text)).rejects.toThrow('closed with 1009');
  expect(JSON.parse(await overWebSocket(nodes.rust.wsUrl, text))).toEqual(tooBig);
});

test('the server answers a GET as each client does', async () => {
  expect(await overHttp(nodes.go.url, '', 'GET')).toEqual({ status: 200, text: '' });
  expect(await overHttp(nodes.rust.url, '', 'GET')).toMatchObject({ status: 405 });
});

test('the Rust client drops notifications, the Go client runs them', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'miner_setMaxDASize', params: ['0x7', '0x8'] });
  for (const flavour of flavours) await overHttp(nodes[flavour].url, body);
  expect(nodes.go.node.context.daLimits.block).toBe(8);
  expect(nodes.rust.node.context.daLimits.block).toBeUndefined();
});
