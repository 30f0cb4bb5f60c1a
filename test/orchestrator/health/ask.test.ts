import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askSource } from '../../../src/orchestrator/health/ask.ts';
import type { HealthFacts, SourceKind } from '../../../src/orchestrator/health/facts.ts';
import { TransportError } from '../../../src/rpc/client/client.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What the server answers to a method: a result, or an error if it throws. */
let answers: Readonly<Record<string, (...params: readonly unknown[]) => unknown>> = {};
/** The answer to everything else, if it is not JSON-RPC. */
let plain: { readonly status: number; readonly text: string } | undefined;
/** The method whose request ends without an answer. */
let unanswered: string | undefined;
const asked: string[] = [];

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (plain !== undefined) {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(plain.status).end(plain.text);
      return;
    }
    const message = JSON.parse(body) as Asked | readonly Asked[];
    if ('method' in message && message.method === unanswered) {
      response.destroy();
      return;
    }
    const answer = ({ id, method, params }: Asked) => {
      asked.push(`${method} ${JSON.stringify(params)}`);
      try {
        return { jsonrpc: '2.0', id, result: answers[method]?.(...params) ?? null };
      } catch {
        return { jsonrpc: '2.0', id, error: { code: -32_000, message: 'refused' } };
      }
    };
    const text = JSON.stringify('length' in message ? message.map(answer) : answer(message));
    response.setHeader('content-type', 'application/json').end(text);
  });
});

let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  [answers, plain, unanswered] = [{}, undefined, undefined];
  asked.length = 0;
});

const NONE = { posters: [], outputContracts: [] };
const refuse = () => {
  throw new Error('refused');
};

function ask(
  kind: SourceKind,
  facts: Pick<HealthFacts, 'posters' | 'outputContracts'> = NONE,
  { late = [] as readonly string[], heights = [] as readonly number[], at = url } = {},
) {
  return askSource(
    { task: 'it', kind, url: at },
    facts,
    (task) => late.includes(task),
    () => heights,
  );
}

describe('the question to L1', () => {
  const posters = [
    { task: 'batcher', address: '0xba' },
    { task: 'proposer', address: '0x60' },
  ];

  it('reads the head and the nonces of the posters', async () => {
    answers = {
      eth_getBlockByNumber: () => ({ number: '0x9', hash: '0x09', timestamp: '0x20' }),
      eth_getTransactionCount: (address) => (address === '0xba' ? '0x3' : '0x4'),
    };
    expect(await ask('l1', { ...NONE, posters })).toEqual({
      values: {
        'it head': { number: 9, hash: '0x09', time: 32 },
        'batcher posts': { number: 3 },
        'proposer posts': { number: 4 },
      },
      balances: {},
    });
    expect(asked).toEqual([
      'eth_getBlockByNumber ["latest",false]',
      'eth_getTransactionCount ["0xba","latest"]',
      'eth_getTransactionCount ["0x60","latest"]',
    ]);
  });

  it('reads the balances of posters that are late', async () => {
    answers = { eth_getBalance: () => '0x5' };
    expect(await ask('l1', { ...NONE, posters }, { late: ['proposer'] })).toEqual({
      values: {},
      balances: { proposer: 5n },
    });
    expect(asked.filter((each) => each.startsWith('eth_getBalance'))).toEqual(['eth_getBalance ["0x60","latest"]']);
  });

  it('leaves out what L1 refuses', async () => {
    answers = { eth_getBlockByNumber: refuse, eth_getTransactionCount: refuse, eth_getBalance: refuse };
    expect(await ask('l1', { ...NONE, posters }, { late: ['batcher', 'proposer'] })).toEqual({
      values: {},
      balances: {},
    });
  });

  const contract = { id: 'outputs', system: 'output-oracle' as const, address: '0xc0' };

  it('reads the outputs of each contract, and none of one that answers an error', async () => {
    answers = { eth_call: () => `0x${'2a'.padStart(64, '0')}` };
    const outputContracts = [contract];
    expect((await ask('l1', { ...NONE, outputContracts })).values).toEqual({ outputs: { number: 42 } });
    expect(asked).toContain('eth_call [{"to":"0xc0","data":"0x4599c788"},"latest"]');
    answers = { eth_call: refuse, eth_getBlockByNumber: () => ({ number: '0x9' }) };
    expect((await ask('l1', { ...NONE, outputContracts })).values).toEqual({ 'it head': { number: 9 } });
    answers = { eth_call: () => '0x' };
    expect((await ask('l1', { ...NONE, outputContracts })).values).toEqual({});
  });
});

it('the question to L1 has no answer when a contract does not answer', async () => {
  unanswered = 'eth_call';
  const outputContracts = [{ id: 'outputs', system: 'output-oracle' as const, address: '0xc0' }];
  await expect(ask('l1', { ...NONE, outputContracts })).rejects.toThrow(TransportError);
});

it('the question to L1 has the balance of each poster that is late', async () => {
  const posters = ['a', 'b', 'c'].map((task) => ({ task, address: `0x${task}` }));
  answers = { eth_getBalance: (address) => (address === '0xb' ? '0x5' : '0x6'), eth_getTransactionCount: () => '0x1' };
  const { balances } = await ask('l1', { ...NONE, posters }, { late: ['b', 'c'] });
  expect(balances).toEqual({ b: 5n, c: 6n });
});

describe('the question to a beacon', () => {
  it.each<[text: string, values: object]>([
    ['{"data":{"head_slot":"17"}}', { 'it slot': { number: 17 } }],
    ['{"data":{}}', {}],
    ['busy', {}],
  ])('reads the slot of its head in %j', async (text, values) => {
    plain = { status: 200, text };
    expect(await ask('beacon')).toEqual({ values });
    expect(asked).toEqual(['GET /eth/v1/node/syncing']);
  });
});

it('the question to an execution client reads its head and the blocks of the heights that are compared', async () => {
  answers = {
    eth_getBlockByNumber: (tag) =>
      tag === '0x2' ? refuse() : { number: tag === 'latest' ? '0x9' : tag, hash: '0x0A' },
  };
  expect(await ask('el', NONE, { heights: [1, 2, 17] })).toEqual({
    values: { 'it head': { number: 9, hash: '0x0A' } },
    chain: {
      head: { number: 9, hash: '0x0a', time: 0 },
      blocks: [
        { number: 1, hash: '0x0a' },
        { number: 17, hash: '0x0a' },
      ],
    },
  });
  expect(asked).toEqual(['latest', '0x1', '0x2', '0x11'].map((tag) => `eth_getBlockByNumber ["${tag}",false]`));
  answers = { eth_getBlockByNumber: refuse };
  expect(await ask('el')).toEqual({ values: {} });
});

it('the question to a rollup node reads its sync status', async () => {
  answers = { optimism_syncStatus: () => ({ unsafe_l2: { number: 9 } }) };
  expect(await ask('cl')).toEqual({ values: { 'it unsafe': { number: 9 } } });
  expect(asked).toEqual(['optimism_syncStatus []']);
});

it('the question to a task with probes alone is none', async () => {
  expect(await ask('probes')).toEqual({ values: {} });
  expect(asked).toEqual([]);
});

describe('an error of a task', () => {
  it('is an answer when it is of JSON-RPC or of HTTP', async () => {
    answers = { optimism_syncStatus: refuse };
    expect(await ask('cl')).toEqual({ values: {} });
    plain = { status: 503, text: 'busy' };
    for (const kind of ['cl', 'el', 'l1', 'beacon'] as const) expect(await ask(kind)).toEqual({ values: {} });
  });

  it.each<SourceKind>(['l1', 'beacon', 'el', 'cl'])('is none when %s does not answer', async (kind) => {
    await expect(ask(kind, NONE, { at: 'http://127.0.0.1:1' })).rejects.toThrow(TransportError);
  });
});
