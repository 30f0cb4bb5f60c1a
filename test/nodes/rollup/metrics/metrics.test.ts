import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcEngineClient } from '../../../../src/nodes/rollup/engine/client.ts';
import type { SyncStatus } from '../../../../src/nodes/rollup/methods/api.ts';
import { createMetrics } from '../../../../src/nodes/rollup/metrics/service.ts';
import { envelopeToJson } from '../../../../src/protocol/codec/payload-json.ts';
import { rollupOf } from '../../../../src/protocol/derivation/rollup.ts';
import type { ExecutionPayloadEnvelope } from '../../../../src/protocol/types.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { freePort } from '../../../system/free-port.ts';
import type { TestNode } from '../../execution/support/nodes.ts';
import { eventually, TestDevnet, type TestRollupNode } from '../support/devnet.ts';

const silent = createLogger({ level: 'silent', format: 'text', color: false, pid: false });

/**
 * Returns the metrics of a node by bare name, and whether each has a nonzero sample.
 * A metric with labels has no sample before its first value.
 */
async function scrape(port: number): Promise<Map<string, boolean>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const names = [...text.matchAll(/^# TYPE op_node_default_(\w+) /gm)].map(([, name]) => name as string);
  const samples = [...text.matchAll(/^op_node_default_(\w+?)(\{[^}]*\})? (\S+)$/gm)];
  const moved = new Set(samples.filter(([, , labels, value]) => labels || Number(value) !== 0).map(([, name]) => name));
  return new Map(names.map((name) => [name, moved.has(name) || moved.has(`${name}_count`)]));
}

const namesOf = (metrics: Map<string, boolean>, isMoved: boolean) =>
  [...metrics].filter(([, moved]) => moved === isMoved).map(([name]) => name);

/** Metrics that change only after a failure. */
const TROUBLES = [
  'derivation_errors_total',
  'l1_reorg_depth',
  'last_derivation_errors_unix',
  'last_publishing_errors_unix',
  'last_sequencer_resets_unix',
  'last_sequencing_errors_unix',
  'publishing_errors_total',
  'sequencer_resets_total',
  'sequencing_errors_total',
];

describe('metrics of a rollup node', () => {
  let devnet: TestDevnet;
  let engine: TestNode;
  let sequencer: TestRollupNode;
  let verifier: TestRollupNode;
  let ports: [number, number];
  beforeAll(async () => {
    devnet = await TestDevnet.start({ ageSeconds: 10 });
    ports = [await freePort(), await freePort()];
    const metrics = (port: number) => ['--metrics.enabled', '--metrics.addr=127.0.0.1', `--metrics.port=${port}`];
    engine = await devnet.engine();
    const other = await devnet.engine();
    sequencer = await devnet.sequencer(engine.node.ports.engine, ...metrics(ports[0]));
    verifier = await devnet.node(other.node.ports.engine, ...metrics(ports[1]));
    await sequencer.reached('unsafe_l2', 9);
  });
  afterAll(() => devnet[Symbol.asyncDispose]());

  it('all change while a sequencer and a verifier run, except those of failures', async () => {
    const moved = new Set<string>();
    const note = async () => {
      for (const port of ports) for (const name of namesOf(await scrape(port), true)) moved.add(name);
      return moved;
    };
    // A block whose parents no peer has.
    const client = new RpcEngineClient({
      rpc: engine.engine,
      rollup: rollupOf(devnet.config),
      url: '',
      secretFile: '',
    });
    const envelope = (await client.payloadByNumber(9)) as ExecutionPayloadEnvelope;
    await verifier.rpc.call('admin_postUnsafePayload', [envelopeToJson(envelope)]);
    await eventually(async () => (await note()).has('unsafe_payloads_buffer_len') || undefined);
    for (const [what, value] of [
      ['Peer', (await sequencer.rpc.call<{ peerID: string }>('peernet_self')).peerID],
      ['Addr', '10.0.0.1'],
    ]) {
      await verifier.rpc.call(`peernet_block${what}`, [value]);
      await verifier.rpc.call(`peernet_unblock${what}`, [value]);
    }
    await verifier.rpc.call('peernet_connectPeer', [await sequencer.address()]);
    await verifier.reached('unsafe_l2', 9);
    await devnet.post(engine, 1, 8);
    await sequencer.reached('finalized_l2', 8);
    const all = [...(await scrape(ports[0])).keys()];
    const unmoved = async () => {
      await note();
      return all.filter((name) => !moved.has(name)).sort();
    };
    await eventually(async () => (await unmoved()).length === TROUBLES.length || undefined).catch(() => {});
    expect(await unmoved()).toEqual(TROUBLES);
  });

  it('change with each kind of failure', async () => {
    const { meter, start } = createMetrics({ version: 'test', blockTime: 2, now: Date.now, log: silent });
    const status = await sequencer.rpc.call<SyncStatus>('optimism_syncStatus');
    const server = await start(
      { host: '127.0.0.1', port: 0, virtualHosts: [], corsOrigins: [] },
      {
        syncStatus: () => status,
        peers: async () => undefined,
        streams: () => 0,
        buffered: () => ({ count: 0, bytes: 0 }),
        queued: () => undefined,
      },
    );
    const moved = async () => namesOf(await scrape(server.port), true);
    const before = await moved();
    meter.recordFailure('derivation', true);
    meter.recordFailure('sequencing', true);
    meter.recordFailure('sequencing', false);
    meter.recordPublishingError();
    meter.recordL1Head({ number: 7, hash: `0x${'07'.repeat(32)}` });
    meter.recordL1Head({ number: 6, hash: `0x${'06'.repeat(32)}` });
    expect((await moved()).filter((name) => !before.includes(name)).sort()).toEqual(TROUBLES);
    await server.close();
  });
});
