import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home, node, rpc } from './devnet.ts';

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

const POLL = { timeout: 100_000 };
let isBusy = false;
const taken: (OtlpSpan & { readonly service: string })[] = [];
const collector = createServer(async (request, response) => {
  if (isBusy) return response.writeHead(503).end();
  let text = '';
  for await (const part of request) text += part;
  for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
    const [{ value }] = resource.attributes.filter(({ key }: { key: string }) => key === 'service.name');
    for (const span of scopeSpans[0].spans) taken.push({ ...span, service: value.stringValue });
  }
  response.setHeader('content-type', 'application/json').end(`{"path":"${request.url}"}`);
});

let home: Home;
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  home = new Home();
  await home.up(
    home.spec('traced', {
      name: 'traced',
      ports: 'auto',
      time: { clock: 'stepped' },
      otel: { endpoint: `http://127.0.0.1:${port}` },
      l1: { blockTime: 2 },
      chains: { main: { blockTime: 1, proposer: false, nodes: { sequencer: { role: 'sequencer' }, verifier: {} } } },
    }),
  );
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  collector.close();
  collector.closeAllConnections();
});

it('a collector gets one trace for each block, from its build to its finality on every node', async () => {
  expect(await home.devnet('warp', '+30s')).toMatchObject({ code: 0 });
  const sequencer = node(await home.status(), 'sequencer');
  const { hash } = await rpc<{ hash: string }>(sequencer.el.http, 'eth_getBlockByNumber', '0x8', false);
  const own = () => taken.filter(({ traceId }) => traceId === hash.slice(2, 34));
  const names = () =>
    own()
      .map(({ name, service }) => `${name.replace(/L1 block \d+/, 'L1 block')} ${service}`)
      .sort();
  await expect
    .poll(names, POLL)
    .toEqual([
      'L1 block l1-beacon',
      'batch main/batcher',
      'block 8 main/sequencer/cl',
      'build main/sequencer/cl',
      'finalized main/sequencer/cl',
      'finalized main/verifier/cl',
      'gossip main/verifier/cl',
      'import main/sequencer/cl',
      'import main/verifier/cl',
      'safe main/sequencer/cl',
      'safe main/verifier/cl',
      'seal main/sequencer/cl',
    ]);
  const root = own().find(({ parentSpanId }) => parentSpanId === undefined)!;
  expect(own().filter(({ parentSpanId }) => parentSpanId === root.spanId)).toHaveLength(11);
  const known = () => new Set(taken.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
  const linked = own().flatMap(({ links }) => links.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
  expect(linked).toHaveLength(2);
  expect(linked.filter((each) => !known().has(each))).toEqual([]);
});

it('status names a collector that takes no spans until it takes them again, and the network stays ready', async () => {
  isBusy = true;
  expect(await home.devnet('warp', '+4s')).toMatchObject({ code: 0 });
  const traces = { subject: 'traces', what: expect.stringContaining('cannot be sent to'), because: 'it answered 503' };
  await expect.poll(() => home.status(), POLL).toMatchObject({ phase: 'ready', traces });
  expect((await home.devnet('status')).stdout).toMatch(/^ {2}PROBLEM {2}traces: cannot be sent to http:\S+, since /m);
  isBusy = false;
  await expect.poll(() => home.status(), POLL).toMatchObject({ phase: 'ready', traces: null });
});
