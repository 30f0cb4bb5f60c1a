import type { GossipsubOpts } from '@libp2p/gossipsub';
import { createPeerScoreParams, createTopicScoreParams } from '@libp2p/gossipsub/score';
import { GOSSIP_VERSIONS, gossipTopic } from '../../protocol/codec/gossip.ts';

/** Counts of a peer in gossip, as the interface tells them. */
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

/**
 * Scoring `light`: first deliveries are rewarded, invalid messages and misbehaviour cost. Blocks are too rare to ask for a delivery rate, and local networks
 * share one address.
 */
export function scoring(isOn: boolean, chainId: number): Partial<GossipsubOpts> {
  const never = Number.NEGATIVE_INFINITY;
  if (!isOn)
    return {
      scoreThresholds: {
        gossipThreshold: never,
        publishThreshold: never,
        graylistThreshold: never,
        acceptPXThreshold: 0,
        opportunisticGraftThreshold: 0,
      },
    };
  const topic = createTopicScoreParams({
    topicWeight: 0.5,
    timeInMeshWeight: 0.01,
    timeInMeshQuantum: 1000,
    timeInMeshCap: 100,
    firstMessageDeliveriesWeight: 1,
    firstMessageDeliveriesDecay: 0.99,
    firstMessageDeliveriesCap: 23,
    meshMessageDeliveriesWeight: 0,
    meshFailurePenaltyWeight: 0,
    invalidMessageDeliveriesWeight: -140,
    invalidMessageDeliveriesDecay: 0.99,
  });
  return {
    scoreParams: createPeerScoreParams({
      topics: Object.fromEntries(GOSSIP_VERSIONS.map((version) => [gossipTopic(chainId, version), topic])),
      topicScoreCap: 34,
      IPColocationFactorWhitelist: new Set(['127.0.0.1', '::1']),
      behaviourPenaltyWeight: -16,
      behaviourPenaltyThreshold: 6,
      behaviourPenaltyDecay: 0.99,
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
