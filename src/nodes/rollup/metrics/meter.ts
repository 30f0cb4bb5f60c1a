import type { BlockId } from '../../../protocol/types.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import type { Meter } from '../../gossip/host/meter.ts';
import type { Metricer } from './metricer.ts';
import type { RollupMetrics } from './names.ts';
import { compareVersions, formatVersion } from './protocol-version.ts';
import type { RefMetrics } from './ref-metrics.ts';

/** Creates the receiver of measurements. `blockTime` in seconds. Its functions may be passed on without it. */
export function createMeter(metrics: RollupMetrics, refs: RefMetrics, blockTime: number): Metricer {
  return {
    ...peerMeter(metrics),
    ...requestMeter(metrics),
    ...derivationMeter(metrics, refs),
    ...sequencerMeter(metrics, blockTime),
    recordFailure(part, isReorg) {
      if (part === 'derivation') metrics.derivationErrors.record();
      else if (isReorg) metrics.sequencerResets.record();
      else metrics.sequencingErrors.record();
    },
    reportProtocolVersions(local, recommended, required) {
      metrics.protocolDelta.set({ type: 'local_recommended' }, compareVersions(local, recommended));
      metrics.protocolDelta.set({ type: 'local_required' }, compareVersions(local, required));
      metrics.protocolVersions.reset();
      metrics.protocolVersions.set(
        {
          local: formatVersion(local),
          // The engine's version is not requested: few engines support the method.
          engine: formatVersion('0x0'),
          recommended: formatVersion(recommended),
          required: formatVersion(required),
        },
        1,
      );
    },
  };
}

function peerMeter(metrics: RollupMetrics): Meter {
  return {
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
  };
}

function requestMeter(
  metrics: RollupMetrics,
): Pick<Metricer, 'recordServerRequest' | 'recordClientRequest' | 'recordL1Request'> {
  function recordClientRequest(method: string, seconds: number, error: unknown): void {
    metrics.clientRequests.inc({ method });
    metrics.clientSeconds.observe({ method }, seconds);
    metrics.clientResponses.inc({ method, error: error === undefined ? '<nil>' : errorLabel(error) });
  }
  return {
    recordServerRequest(method, seconds) {
      metrics.serverRequests.inc({ method });
      metrics.serverSeconds.observe({ method }, seconds);
    },
    recordClientRequest,
    recordL1Request(method, seconds, error) {
      recordClientRequest(method, seconds, error);
      metrics.l1Seconds.observe({ request: method }, seconds);
    },
  };
}

function derivationMeter(
  metrics: RollupMetrics,
  refs: RefMetrics,
): Pick<Metricer, 'recordL1Head' | 'recordDerived' | 'recordReceivedUnsafePayload' | 'recordPipelineReset'> {
  let l1Head: BlockId | undefined;
  return {
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
      refs.record('l2', 'received_payload', {
        hash: block.blockHash,
        number: block.blockNumber,
        timestamp: Number(block.timestamp),
      });
    },
    recordPipelineReset: () => metrics.pipelineResets.record(),
  };
}

function sequencerMeter(
  metrics: RollupMetrics,
  blockTime: number,
): Pick<Metricer, 'countSequencedTxs' | 'recordSequencerTimes' | 'recordPublishingError'> {
  return {
    countSequencedTxs({ executionPayload: block }) {
      metrics.sequencedTransactions.inc(block.transactions.length);
    },
    recordSequencerTimes(building, sealing) {
      metrics.sequencerSealed.inc();
      metrics.sequencerSealing.observe(sealing);
      metrics.sequencerBuilt.inc();
      metrics.sequencerBuilding.observe(building - blockTime);
    },
    recordPublishingError: () => metrics.publishingErrors.record(),
  };
}

function errorLabel(error: unknown): string {
  const code = jsonField(error, 'code');
  return typeof code === 'number' ? `rpc_${code}` : '<unknown>';
}
