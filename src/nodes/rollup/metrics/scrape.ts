import type { L2BlockRef } from '../../../protocol/types.ts';
import type { PeersDump } from '../../gossip/peer-network.ts';
import type { SyncStatus } from '../methods/api.ts';
import type { RollupMetrics } from './names.ts';
import type { RefMetrics } from './ref-metrics.ts';

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

/** Sets the metrics that show a state: heads, queues and peers. */
export async function collectState(metrics: RollupMetrics, refs: RefMetrics, source: MetricsSource): Promise<void> {
  const status = source.syncStatus();
  recordHeads(refs, status);
  const { count, bytes } = source.buffered();
  metrics.unsafeBuffered.set(count);
  metrics.unsafeBytes.set(bytes);
  const queued = source.queued();
  if (queued) refs.record('l2', 'l2_buffer_unsafe', queued);
  metrics.derivationIdle.set(status.current_l1.number >= status.head_l1.number ? 1 : 0);
  metrics.streamCount.set(source.streams());
  const dump = await source.peers();
  metrics.peerCount.set(dump?.totalConnected ?? 0);
  observeScores(metrics, dump);
}

function recordHeads(refs: RefMetrics, status: SyncStatus): void {
  refs.record('l1', 'l1_head', status.head_l1);
  refs.record('l1', 'l1_safe', status.safe_l1);
  refs.record('l1', 'l1_finalized', status.finalized_l1);
  refs.record('l1', 'l1_derived', status.current_l1);
  refs.recordL2('l2_unsafe', status.unsafe_l2);
  refs.recordL2('l2_safe', status.safe_l2);
  refs.recordL2('l2_finalized', status.finalized_l2);
  refs.recordL2('l2_pending_safe', status.pending_safe_l2);
}

/** Replaces the distribution of peers' scores (op-node: `SetPeerScores`). */
function observeScores(metrics: RollupMetrics, dump: PeersDump | undefined): void {
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
