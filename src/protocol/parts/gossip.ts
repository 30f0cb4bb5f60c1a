import type { GossipRules } from './rules.ts';

/** Specification: rollup node p2p, block gossip topics. */
export const gossipV1: GossipRules = { version: 1 };
export const gossipV2: GossipRules = { version: 2 };
export const gossipV3: GossipRules = { version: 3 };
export const gossipV4: GossipRules = { version: 4 };
