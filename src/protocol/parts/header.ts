import type { HeaderRules } from './rules.ts';

/** Fields of the L2 header by fork (specification: L2 execution engine). */
export const bedrockHeader: HeaderRules = { withdrawalsRoot: 'absent', beaconRoot: false, requestsHash: false };
export const canyonHeader: HeaderRules = { withdrawalsRoot: 'empty', beaconRoot: false, requestsHash: false };
export const ecotoneHeader: HeaderRules = { withdrawalsRoot: 'empty', beaconRoot: true, requestsHash: false };
export const isthmusHeader: HeaderRules = { withdrawalsRoot: 'message-passer', beaconRoot: true, requestsHash: true };
