import type { GossipsubOpts } from '@libp2p/gossipsub';
import { createPeerScoreParams, createTopicScoreParams } from '@libp2p/gossipsub/score';
import { GOSSIP_VERSIONS, gossipTopic } from '../../../protocol/codec/gossip.ts';

/** Gossip counters of a peer, in the shape of op-node's and kona's `GossipScores`. */
export interface GossipScores {
  readonly total: number;
  readonly blocks: {
    readonly timeInMesh: number;
    readonly firstMessageDeliveries: number;
    readonly meshMessageDeliveries: number;
    readonly invalidMessageDeliveries: number;
  };
  readonly IPColocationFactor: number;
  readonly behavioralPenalty: number;
}

/** Settings of peer scoring. */
export interface ScoringOptions {
  readonly chainId: number;
  /** Seconds. */
  readonly blockTime: number;
  /** Returns the contribution of block requests to the score of a peer. */
  readonly requestScore: (id: string) => number;
}

/** Block times in an epoch of the parameters. */
const EPOCH_BLOCKS = 6;
const DECAYED = 0.01;
/** Returns the decay factor per block time for a decay to zero over some epochs (op-node: `ScoreDecay`). */
const decayOver = (epochs: number) => DECAYED ** (1 / (epochs * EPOCH_BLOCKS));
/** Maximum score for the time in the mesh (op-node: `MaxInMeshScore`). */
const MOST_FOR_TIME = 10;

/**
 * Returns the parameters of op-node's `light` scoring (`LightPeerScoreParams`, `NewPeerScoreThresholds`).
 * Counterpart in kona: `PeerScoreLevel`, `topic_score_params`.
 * First deliveries raise the score. One invalid message takes a peer below the default ban threshold. Misbehaviour and
 * bad answers lower it. Three differences:
 * - All topic versions have the same weight.
 * - No delivery rate is required: a topic of an earlier fork or a stopped sequencer delivers nothing.
 * - Peers of one loopback address have no penalty.
 */
export function scoring(options: ScoringOptions | undefined): Partial<GossipsubOpts> {
  const never = Number.NEGATIVE_INFINITY;
  if (!options)
    return {
      scoreThresholds: {
        gossipThreshold: never,
        publishThreshold: never,
        graylistThreshold: never,
        acceptPXThreshold: 0,
        opportunisticGraftThreshold: 0,
      },
    };
  const slot = options.blockTime * 1000;
  const slotsPerHour = 3_600_000 / slot;
  const topic = createTopicScoreParams({
    topicWeight: 0.8,
    timeInMeshWeight: MOST_FOR_TIME / slotsPerHour,
    timeInMeshQuantum: slot,
    timeInMeshCap: slotsPerHour,
    firstMessageDeliveriesWeight: 1,
    firstMessageDeliveriesDecay: decayOver(20),
    firstMessageDeliveriesCap: 23,
    meshMessageDeliveriesWeight: 0,
    meshFailurePenaltyWeight: 0,
    invalidMessageDeliveriesWeight: -140.4475,
    invalidMessageDeliveriesDecay: decayOver(50),
  });
  return {
    scoreParams: createPeerScoreParams({
      topics: Object.fromEntries(GOSSIP_VERSIONS.map((version) => [gossipTopic(options.chainId, version), topic])),
      topicScoreCap: 34,
      appSpecificScore: options.requestScore,
      appSpecificWeight: 1,
      IPColocationFactorWeight: -35,
      IPColocationFactorThreshold: 10,
      IPColocationFactorWhitelist: new Set(['127.0.0.1', '::1']),
      behaviourPenaltyWeight: -16,
      behaviourPenaltyThreshold: 6,
      behaviourPenaltyDecay: decayOver(10),
      decayInterval: slot,
      decayToZero: DECAYED,
      retainScore: 100 * EPOCH_BLOCKS * slot,
    }),
    scoreThresholds: {
      gossipThreshold: -10,
      publishThreshold: -40,
      graylistThreshold: -40,
      acceptPXThreshold: 20,
      opportunisticGraftThreshold: 0.05,
    },
  };
}
