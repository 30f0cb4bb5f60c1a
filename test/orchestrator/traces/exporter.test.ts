import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Problem } from '../../../src/orchestrator/state/problem.ts';
import { TraceExporter } from '../../../src/orchestrator/traces/exporter.ts';
import type { MarkListener, TraceMark } from '../../../src/system/channel/trace-marks.ts';

const POLL = { timeout: 60_000 };
const TASK = 'main/sequencer/cl';

interface OtlpSpan {
  readonly traceId: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
}

let server: Server | undefined;
afterEach(() => void server?.close().closeAllConnections());

/** A collector: its answers in order, the last one for all later requests, and the spans that it took. */
async function collector(answer: (response: ServerResponse, request: number) => void) {
  const taken: OtlpSpan[] = [];
  let requests = 0;
  server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const { resourceSpans } = JSON.parse(text);
    const spans = resourceSpans.flatMap((each: { scopeSpans: { spans: OtlpSpan[] }[] }) => each.scopeSpans[0]!.spans);
    requests += 1;
    answer(response, requests);
    if (response.statusCode === 200) taken.push(...spans);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { taken, url: `http://127.0.0.1:${port}/v1/traces`, requests: () => requests };
}

/** An exporter to a URL, what it tells, and what gives it a sealed and imported block. */
function exporterTo(url: string, { timeoutMs = 60_000, lastMs = 60_000 } = {}) {
  const problems: (Problem | undefined)[] = [];
  let receive: MarkListener = () => {};
  const settings = { url, headers: {}, timeoutMs, service: undefined, attributes: {} };
  const exporter = new TraceExporter(
    settings,
    {
      devnet: 'traced',
      traces: {
        follow(listener) {
          receive = listener;
          return () => {};
        },
      },
      report: (problem) => problems.push(problem),
    },
    { every: 20, lastMs },
  );
  const block = (number: number) => {
    const of = `0x${number.toString(16).padStart(64, 'a')}`;
    const mark: TraceMark = { mark: 'seal', of, from: 1_795_831_730_779.891, to: 1_795_831_730_780, number };
    receive(TASK, mark);
    receive(TASK, { ...mark, mark: 'import' });
  };
  return { exporter, problems, block };
}

it('the exporter sends each span once, with the hash of the block as its trace', async () => {
  const { taken, url } = await collector((response) => response.end('{}'));
  const { exporter, block } = exporterTo(url);
  block(1);
  await expect.poll(() => taken.length, POLL).toBe(3);
  block(2);
  await exporter.close();
  expect(taken.map(({ name }) => name)).toEqual(['block 1', 'seal', 'import', 'block 2', 'seal', 'import']);
  expect(taken[0]).toMatchObject({ traceId: 'a'.repeat(32), startTimeUnixNano: '1795831730779891113' });
});

it('the exporter sends spans again after a collector was busy, and tells once why and that it is over', async () => {
  const { taken, url } = await collector((response, request) => {
    response.statusCode = request < 3 ? 503 : 200;
    response.end();
  });
  const { exporter, problems, block } = exporterTo(url);
  block(1);
  await expect.poll(() => taken.length, POLL).toBe(3);
  await expect.poll(() => problems.length, POLL).toBe(2);
  const first = { subject: 'traces', what: `cannot be sent to ${url}`, because: 'it answered 503' };
  expect(problems).toEqual([expect.objectContaining(first), undefined]);
  await exporter.close();
});

it('the exporter drops spans that the collector refuses for good', async () => {
  const { taken, url, requests } = await collector((response, request) => {
    response.statusCode = request === 1 ? 400 : 200;
    response.end();
  });
  const { exporter, problems, block } = exporterTo(url);
  block(1);
  await expect.poll(requests, POLL).toBe(1);
  await expect.poll(() => problems.length, POLL).toBe(1);
  block(2);
  await expect.poll(() => taken.length, POLL).toBe(3);
  expect(taken[0]!.name).toBe('block 2');
  await exporter.close();
});

it('the exporter ends while the collector hangs', async () => {
  const { url, requests } = await collector(() => {});
  const { exporter, block } = exporterTo(url, { lastMs: 50 });
  block(1);
  await expect.poll(requests, POLL).toBe(1);
  await exporter.close();
  expect(requests()).toBe(1);
});

it('the exporter tells that a collector does not answer, or is not there', async () => {
  const { url } = await collector(() => {});
  const hanging = exporterTo(url, { timeoutMs: 50 });
  hanging.block(1);
  await expect.poll(() => hanging.problems[0]?.because, POLL).toMatch(/timeout/);
  const absent = exporterTo('http://127.0.0.1:1/v1/traces');
  absent.block(1);
  await expect.poll(() => absent.problems[0]?.what, POLL).toMatch(/^cannot be sent to .*127\.0\.0\.1:1/);
  await Promise.all([hanging.exporter.close(), absent.exporter.close()]);
});
