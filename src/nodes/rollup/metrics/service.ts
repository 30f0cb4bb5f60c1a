import type { ServerResponse } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { BlockId, L2BlockRef } from '../../../protocol/types.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { PeersDump } from '../../gossip/peer-network.ts';
import type { ListenAddress } from '../../service/host-origin.ts';
import { listen } from '../../service/listen.ts';
import type { SyncStatus } from '../methods/api.ts';
import type { Metricer } from './metricer.ts';
import { metricsIn } from './names.ts';
import { compareVersions, formatVersion } from './protocol-version.ts';

/** The values of a scrape. */
export interface MetricsSource {
  syncStatus(): SyncStatus;
  /** undefined: no network. */
  peers(): Promise<PeersDump | undefined>;
  streams(): number;
  /** Count of queued unsafe blocks, and the bytes of their transactions. */
  buffered(): { readonly count: number; readonly bytes: number };
  /** The lowest queued unsafe block. */
  queued(): L2BlockRef | undefined;
}

/** The metrics and their server (op-node: `Metrics`). */
export interface Metrics {
  readonly meter: Metricer;
  /** Serves `/metrics`. @throws Failure `listen` on a port that is taken */
  start(place: ListenAddress, source: MetricsSource): Promise<{ readonly port: number; close(): Promise<void> }>;
}

/** Properties of the measured node. */
export interface MetricsOptions {
  readonly version: string;
  /** Seconds. */
  readonly blockTime: number;
  /** Network clock, milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Creates the metrics in Prometheus' text format, under op-node's names (op-node: `NewMetrics`). */
export function createMetrics({ version, blockTime, now, log }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = metricsIn(registry);
  metrics.info.set({ version }, 1);
  let l1Head: BlockId | undefined;

  function called(method: string, seconds: number, error: unknown): void {
    metrics.clientRequests.inc({ method });
    metrics.clientSeconds.observe({ method }, seconds);
    metrics.clientResponses.inc({ method, error: error === undefined ? '<nil>' : errorLabel(error) });
  }

  const meter: Metricer = {
    request(role, code, seconds, number) {
      const labels = { p2p_role: role, p2p_method: 'payload_by_number', result_code: String(Math.min(code, 5)) };
      metrics.requests.inc(labels);
      metrics.requestSeconds.observe(labels, seconds);
      metrics.requestNumber.set({ p2p_role: role }, number);
    },
    gossip: (type) => metrics.gossipEvents.inc({ type }),
    connection: (kind, isAllowed) =>
      (kind === 'dial' ? metrics.dials : metrics.accepts).inc({ allow: String(isAllowed) }),
    unban: (kind) => (kind === 'peer' ? metrics.peerUnbans : metrics.ipUnbans).inc(),
    recordServerRequest(method, seconds) {
      metrics.serverRequests.inc({ method });
      metrics.serverSeconds.observe({ method }, seconds);
    },
    recordClientRequest: called,
    recordL1Request(method, seconds, error) {
      called(method, seconds, error);
      metrics.l1Seconds.observe({ request: method }, seconds);
    },
    recordL1Head({ hash, number }) {
      if (l1Head && hash !== l1Head.hash && number <= l1Head.number)
        metrics.l1ReorgDepth.observe(l1Head.number - number + 1);
      l1Head = { hash, number };
    },
    recordDerived(what) {
      if (what.kind === 'frame') metrics.derivedFrames.record();
      else if (what.kind === 'channel') metrics.channelBytes.inc(what.bytes);
      else metrics.derivedBatches.record({ type: what.kind });
    },
    recordReceivedUnsafePayload({ executionPayload: block }) {
      metrics.unsafePayloads.record();
      note('l2', 'received_payload', {
        hash: block.blockHash,
        number: block.blockNumber,
        timestamp: Number(block.timestamp),
      });
    },
    countSequencedTxs({ executionPayload: block }) {
      metrics.sequencedTransactions.inc(block.transactions.length);
    },
    recordSequencerTimes(building, sealing) {
      metrics.sequencerSealed.inc();
      metrics.sequencerSealing.observe(sealing);
      metrics.sequencerBuilt.inc();
      metrics.sequencerBuilding.observe(building - blockTime);
    },
    recordFailure(part, isReorg) {
      if (part === 'derivation') metrics.derivationErrors.record();
      else if (isReorg) metrics.sequencerResets.record();
      else metrics.sequencingErrors.record();
    },
    reportProtocolVersions(own, recommended, required) {
      metrics.protocolDelta.set({ type: 'local_recommended' }, compareVersions(own, recommended));
      metrics.protocolDelta.set({ type: 'local_required' }, compareVersions(own, required));
      metrics.protocolVersions.reset();
      metrics.protocolVersions.set(
        {
          local: formatVersion(own),
          // The engine's version is not requested: few engines support the method.
          engine: formatVersion('0x0'),
          recommended: formatVersion(recommended),
          required: formatVersion(required),
        },
        1,
      );
    },
    recordPublishingError: () => metrics.publishingErrors.record(),
    recordPipelineReset: () => metrics.pipelineResets.record(),
  };

  const seen = new Map<string, string>();
  /** Records the reference of a block (op-service: `RecordRef`). */
  function note(layer: string, type: string, block: { hash: string; number: number; timestamp?: number }): void {
    metrics.refsNumber.set({ layer, type }, block.number);
    metrics.refsHash.set({ layer, type }, Number(Buffer.from(block.hash.slice(2, 18), 'hex').readBigUInt64LE()));
    if (!block.timestamp) return;
    metrics.refsTime.set({ layer, type }, block.timestamp);
    if (seen.get(type) === block.hash) return;
    seen.set(type, block.hash);
    metrics.refsLatency.set({ layer, type }, block.timestamp - now() / 1000);
  }

  /** Records an L2 head and its L1 origin (op-service: `RecordL2Ref`). */
  function noteL2(type: string, block: L2BlockRef): void {
    note('l2', type, block);
    note('l1_origin', type, block.l1origin);
    metrics.refsSeqnr.set({ type }, block.sequenceNumber);
  }

  async function collect(source: MetricsSource): Promise<void> {
    const status = source.syncStatus();
    note('l1', 'l1_head', status.head_l1);
    note('l1', 'l1_safe', status.safe_l1);
    note('l1', 'l1_finalized', status.finalized_l1);
    note('l1', 'l1_derived', status.current_l1);
    noteL2('l2_unsafe', status.unsafe_l2);
    noteL2('l2_safe', status.safe_l2);
    noteL2('l2_finalized', status.finalized_l2);
    noteL2('l2_pending_safe', status.pending_safe_l2);
    const { count, bytes } = source.buffered();
    metrics.unsafeBuffered.set(count);
    metrics.unsafeBytes.set(bytes);
    const queued = source.queued();
    if (queued) note('l2', 'l2_buffer_unsafe', queued);
    metrics.derivationIdle.set(status.current_l1.number >= status.head_l1.number ? 1 : 0);
    metrics.streamCount.set(source.streams());
    const dump = await source.peers();
    metrics.peerCount.set(dump?.totalConnected ?? 0);
    metrics.peerScores.reset();
    for (const { scores } of Object.values(dump?.peers ?? {})) {
      const { gossip, reqResp } = scores;
      const observe = (type: string, value: number) => metrics.peerScores.observe({ type }, value);
      observe('total', gossip.total);
      observe('ipColocation', gossip.IPColocationFactor);
      observe('behavioralPenalty', gossip.behavioralPenalty);
      observe('blocksFirstMessage', gossip.blocks.firstMessageDeliveries);
      observe('blocksTimeInMesh', gossip.blocks.timeInMesh);
      observe('blocksMessageDeliveries', gossip.blocks.meshMessageDeliveries);
      observe('blocksInvalidMessageDeliveries', gossip.blocks.invalidMessageDeliveries);
      observe('reqRespValidResponses', reqResp.validResponses);
      observe('reqRespErrorResponses', reqResp.errorResponses);
      observe('reqRespRejectedPayloads', reqResp.rejectedPayloads);
    }
  }

  async function scrape(source: MetricsSource, response: ServerResponse): Promise<void> {
    try {
      await collect(source);
      const body = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType });
      response.end(body);
    } catch (error) {
      log.warn('cannot tell the metrics', { error });
      response.writeHead(500).end();
    }
  }

  return {
    meter,
    async start(place, source) {
      const server = await listen('metrics.port', {
        ...place,
        http: false,
        methods: {},
        context: undefined,
        // Prometheus' own servers answer at any path.
        route(_request, response) {
          void scrape(source, response);
          return true;
        },
      });
      metrics.up.set(1);
      log.info('metrics listen', { port: server.port });
      return server;
    },
  };
}

function errorLabel(error: unknown): string {
  const code = jsonField(error, 'code');
  return typeof code === 'number' ? `rpc_${code}` : '<unknown>';
}
