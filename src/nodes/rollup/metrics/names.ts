import type { Registry } from 'prom-client';
import { type MetricFactory, metricFactory } from './factory.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SCORES = [-100, -40, -20, -10, -5, -2, -1, -0.5, -0.05, 0, 0.05, 0.5, 1, 2, 5, 10, 20, 40];

/** Buckets around zero: shorter than a block time, and longer. */
const AROUND = [...[...SECONDS].reverse().map((seconds) => -seconds), ...SECONDS];
const DEPTHS = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 20.5, 50.5, 100.5];

/** The metrics of a rollup node. */
export type RollupMetrics = ReturnType<typeof metricsIn>;

/** Creates all metrics under op-node's names and labels, as far as they apply here (op-node: `NewMetrics`). */
export function metricsIn(registry: Registry) {
  const factory = metricFactory(registry);
  return {
    ...nodeMetrics(factory),
    ...derivationMetrics(factory),
    ...unsafeMetrics(factory),
    ...rpcMetrics(factory),
    ...p2pMetrics(factory),
  };
}

/** Creates the metrics of the node itself, and the blocks that it refers to. */
function nodeMetrics({ gauge }: MetricFactory) {
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
    protocolDelta: gauge('protocol_version_delta', 'This node compared with the versions that L1 signals', ['type']),
    protocolVersions: gauge('protocol_versions', 'Versions of this node and that L1 signals', [
      'local',
      'engine',
      'recommended',
      'required',
    ]),
  };
}

/** Creates the metrics of derivation and L1. */
function derivationMetrics({ gauge, counter, histogram, event }: MetricFactory) {
  return {
    derivationIdle: gauge('derivation_idle', '1 where derivation waits for L1'),
    pipelineResets: event('pipeline_resets', 'resets of the derivation pipeline'),
    derivationErrors: event('derivation_errors', 'pauses of derivation for an error'),
    derivedFrames: event('frame_added', 'frames that reached the channels'),
    derivedBatches: event('derived_batches', 'batches read', ['type']),
    channelBytes: counter('channel_input_bytes', 'Compressed bytes of channels read'),
    l1ReorgDepth: histogram('l1_reorg_depth', 'L1 blocks that a new head left behind', DEPTHS),
    l1Seconds: histogram('l1_request_seconds', 'Duration of L1 requests by method', SECONDS, ['request']),
  };
}

/** Creates the metrics of unsafe blocks, and of the sequencer that makes them. */
function unsafeMetrics({ gauge, counter, histogram, event }: MetricFactory) {
  return {
    unsafePayloads: event('unsafe_payloads', 'unsafe blocks received'),
    unsafeBuffered: gauge('unsafe_payloads_buffer_len', 'Unsafe blocks that wait for their parents'),
    unsafeBytes: gauge('unsafe_payloads_buffer_mem_size', 'Bytes of the transactions of unsafe blocks that wait'),
    sequencingErrors: event('sequencing_errors', 'blocks that could not be made at first'),
    sequencerResets: event('sequencer_resets', 'resets for the sequencer, whose L1 origin is no more'),
    publishingErrors: event('publishing_errors', 'blocks that could not be gossiped'),
    sequencedTransactions: gauge('transactions_sequenced_total', 'Transactions in sequenced blocks'),
    sequencerBuilding: histogram('sequencer_building_diff_seconds', 'Time of building less the block time', AROUND),
    sequencerBuilt: counter('sequencer_building_diff_total', 'Blocks built'),
    sequencerSealing: histogram('sequencer_sealing_seconds', 'Time that the engine took to give a block', SECONDS),
    sequencerSealed: counter('sequencer_sealing_total', 'Blocks sealed'),
  };
}

/** Creates the metrics of the RPC server and of the clients of the engine and L1. */
function rpcMetrics({ counter, histogram }: MetricFactory) {
  return {
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
  };
}

/** Creates the metrics of peers, gossip and block requests. */
function p2pMetrics({ gauge, counter, histogram }: MetricFactory) {
  return {
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
