import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Namespace of op-node's metrics, which its dashboards use. */
const PREFIX = 'op_node_default_';
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SCORES = [-100, -40, -20, -10, -5, -2, -1, -0.5, -0.05, 0, 0.05, 0.5, 1, 2, 5, 10, 20, 40];

/** Buckets around zero: shorter than a block time, and longer. */
const AROUND = [...[...SECONDS].reverse().map((seconds) => -seconds), ...SECONDS];
const DEPTHS = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 20.5, 50.5, 100.5];

/** An event: its count and its last time (op-service: `Event`, `EventVec`). */
export interface EventMetric {
  record(labels?: { readonly type: string }): void;
}

/** The metrics of a rollup node. */
export type RollupMetrics = ReturnType<typeof metricsIn>;

/** Creates all metrics under op-node's names and labels, as far as they apply here (op-node: `NewMetrics`). */
export function metricsIn(registry: Registry) {
  const registers = [registry];
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: PREFIX + name, help, labelNames, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[] = []) =>
    new Histogram({ name: PREFIX + name, help, buckets, labelNames, registers });
  const event = (name: string, what: string, labelNames: 'type'[] = []): EventMetric => {
    const total = counter(`${name}_total`, `Count of ${what}`, labelNames);
    const last = gauge(`last_${name}_unix`, `Time of the last of ${what}, seconds since 1970`, labelNames);
    return {
      record(labels: { readonly type?: string } = {}) {
        total.inc(labels);
        last.setToCurrentTime(labels);
      },
    };
  };

  return {
    info: gauge('info', 'Version of the node', ['version']),
    up: gauge('up', '1 once the node has started'),
    refsNumber: gauge('refs_number', 'Number of a referenced block', ['layer', 'type']),
    refsTime: gauge('refs_time', 'Timestamp of a referenced block', ['layer', 'type']),
    refsHash: gauge('refs_hash', 'First 8 bytes of the hash of a referenced block', ['layer', 'type']),
    refsSeqnr: gauge('refs_seqnr', 'Sequence number of a referenced L2 block', ['type']),
    refsLatency: gauge('refs_latency', 'Timestamp of a referenced block minus the time it was first told', [
      'layer',
      'type',
    ]),
    derivationIdle: gauge('derivation_idle', '1 where derivation waits for L1'),
    pipelineResets: event('pipeline_resets', 'resets of the derivation pipeline'),
    unsafePayloads: event('unsafe_payloads', 'unsafe blocks received'),
    derivationErrors: event('derivation_errors', 'pauses of derivation for an error'),
    sequencingErrors: event('sequencing_errors', 'blocks that could not be made at first'),
    sequencerResets: event('sequencer_resets', 'resets for the sequencer, whose L1 origin is no more'),
    derivedFrames: event('frame_added', 'frames that reached the channels'),
    derivedBatches: event('derived_batches', 'batches read', ['type']),
    channelBytes: counter('channel_input_bytes', 'Compressed bytes of channels read'),
    l1ReorgDepth: histogram('l1_reorg_depth', 'L1 blocks that a new head left behind', DEPTHS),
    l1Seconds: histogram('l1_request_seconds', 'Duration of L1 requests by method', SECONDS, ['request']),
    publishingErrors: event('publishing_errors', 'blocks that could not be gossiped'),
    unsafeBuffered: gauge('unsafe_payloads_buffer_len', 'Unsafe blocks that wait for their parents'),
    unsafeBytes: gauge('unsafe_payloads_buffer_mem_size', 'Bytes of the transactions of unsafe blocks that wait'),
    sequencedTransactions: gauge('transactions_sequenced_total', 'Transactions in sequenced blocks'),
    sequencerBuilding: histogram('sequencer_building_diff_seconds', 'Time of building less the block time', AROUND),
    sequencerBuilt: counter('sequencer_building_diff_total', 'Blocks built'),
    sequencerSealing: histogram('sequencer_sealing_seconds', 'Time that the engine took to give a block', SECONDS),
    sequencerSealed: counter('sequencer_sealing_total', 'Blocks sealed'),
    protocolDelta: gauge('protocol_version_delta', 'This node compared with the versions that L1 signals', ['type']),
    protocolVersions: gauge('protocol_versions', 'Versions of this node and that L1 signals', [
      'local',
      'engine',
      'recommended',
      'required',
    ]),
    serverRequests: counter('rpc_server_requests_total', 'Requests to the RPC server', ['method']),
    serverSeconds: histogram('rpc_server_request_duration_seconds', 'Duration of RPC server requests', SECONDS, [
      'method',
    ]),
    clientRequests: counter('rpc_client_requests_total', 'Requests to the engine and L1', ['method']),
    clientSeconds: histogram(
      'rpc_client_request_duration_seconds',
      'Duration of requests to the engine and L1',
      SECONDS,
      ['method'],
    ),
    clientResponses: counter('rpc_client_responses_total', 'Answers of the engine and L1', ['method', 'error']),
    peerCount: gauge('p2p_peer_count', 'Connected peers'),
    streamCount: gauge('p2p_stream_count', 'Open streams of peers'),
    peerScores: histogram('peer_scores', 'Scores of connected peers', SCORES, ['type']),
    gossipEvents: counter('p2p_gossip_events_total', 'Gossip events by type', ['type']),
    peerUnbans: counter('p2p_peer_unbans', 'Bans and blocks of peers that ended'),
    ipUnbans: counter('p2p_ip_unbans', 'Blocks of addresses that ended'),
    dials: counter('p2p_dials', 'Dials, by whether they were allowed', ['allow']),
    accepts: counter('p2p_accepts', 'Connections from outside, by whether they were allowed', ['allow']),
    requestSeconds: histogram('p2p_req_duration_seconds', 'Duration of block requests', SECONDS, [
      'p2p_role',
      'p2p_method',
      'result_code',
    ]),
    requests: counter('p2p_req_total', 'Block requests', ['p2p_role', 'p2p_method', 'result_code']),
    requestNumber: gauge('p2p_payload_by_number', 'Height of the last block request', ['p2p_role']),
  };
}
