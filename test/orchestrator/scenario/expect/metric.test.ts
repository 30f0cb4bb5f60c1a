import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { metric } from '../../../../src/orchestrator/scenario/expect/metric.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { fixturePlan } from '../../supervisor/fixture-plan.ts';
import { scriptedRun } from '../scripted-run.ts';

const METRICS = 'refs{layer="l1"} 3\nrefs{layer="l2"} 4\nup 1\n';
/** Serves metrics at `/metrics` alone; undefined: the connection breaks. */
const served: { text: string | undefined; status?: number } = { text: METRICS };
const server = createServer((request, response) => {
  if (served.text === undefined || request.url !== '/metrics') response.destroy();
  else response.writeHead(served.status ?? 200).end(served.text);
});
const portOf = () => (server.address() as AddressInfo).port;
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const planOf = (): Plan =>
  fixturePlan('/home', 'one', [{ port: 1 }], {
    'main/batcher': {
      ports: [
        { name: 'rpc', host: '127.0.0.1', port: 1, transport: 'tcp' },
        { name: 'metrics', host: '127.0.0.1', port: portOf(), transport: 'tcp' },
      ],
    },
  });
const look = async (value: Record<string, Json>, answer: typeof served = { text: METRICS }) => {
  const check = await metric.begin({ of: 'main/batcher', name: 'refs', ...value }, { ...scriptedRun(), plan: planOf });
  Object.assign(served, { status: 200, ...answer });
  return check();
};

describe('the expectation of a metric', () => {
  it.each<[Record<string, Json>, number]>([
    [{ is: 7 }, 7],
    [{ above: 6, below: 8 }, 7],
    [{ is: 3, labels: { layer: 'l1' } }, 3],
    [{ name: 'up', is: 1 }, 1],
  ])('%j holds with the sum of the series', async (value, found) => {
    expect(await look(value)).toEqual({ holds: true, evidence: { metric: found } });
  });

  it('does not hold for another sum, and says which', async () => {
    const because = 'refs of main/batcher is 7, not above 7';
    expect(await look({ above: 7 })).toEqual({ holds: false, because, evidence: { metric: 7 } });
  });

  it('does not hold without such a series', async () => {
    const because = 'main/batcher has no metric refs with these labels';
    expect(await look({ is: 0, labels: { layer: 'l3' } })).toEqual({ holds: false, because });
  });

  it('does not hold while the metrics cannot be read', async () => {
    expect(await look({ is: 7 }, { text: undefined })).toEqual({
      holds: false,
      because: expect.stringMatching(/^the metrics of main\/batcher cannot be read: \w/),
    });
  });

  it('does not hold for an answer that is no success, which has no metrics', async () => {
    const because = 'the metrics of main/batcher cannot be read: HTTP 500';
    expect(await look({ is: 7 }, { text: METRICS, status: 500 })).toEqual({ holds: false, because });
  });

  it('does not hold for more metrics than four megabytes', async () => {
    expect(await look({ is: 7 }, { text: `${METRICS}${'#'.repeat(4_000_000)}` })).toEqual({
      holds: false,
      because: expect.stringMatching(/^the metrics of main\/batcher cannot be read: .*4000000 bytes/),
    });
  });

  it('fails for a process without metrics', async () => {
    await expect(look({ of: 'main/node-0/el', is: 1 })).rejects.toMatchObject({
      code: 'metric',
      message: 'main/node-0/el serves no metrics',
    });
  });

  it.each(['', '1a', 'a b', 'a-b', `a${'b'.repeat(201)}`])('refuses the name %j', (name) => {
    expect(metric.schema.safeParse({ of: 'a', name, is: 1 }).success).toBe(false);
  });

  it('needs a bound, and a name of a metric', () => {
    expect(metric.schema.safeParse({ of: 'a', name: 'op_node:refs_1' }).success).toBe(false);
    expect(metric.schema.safeParse({ of: 'a', name: 'op_node:refs_1', is: 1 }).success).toBe(true);
  });
});
