import type { HeaderRules } from './rules.ts';

/** Fields of the L2 header by fork (specification: L2 execution engine). */
export const bedrockHeader: HeaderRules = { withdrawalsRoot: 'absent', beaconRoot: false, requestsHash: false };
export const canyonHeader: HeaderRules = { withdrawalsRoot: 'empty', beaconRoot: false, requestsHash: false };
export const ecotoneHeader: HeaderRules = { withdrawalsRoot: 'empty', beaconRoot: true, requestsHash: false };
/** Ethereum's own (EIP-4895, 4788 and 4844, 7685). */
export const shanghaiHeader: HeaderRules = { ...bedrockHeader, withdrawalsRoot: 'list' };
export const cancunHeader: HeaderRules = { ...shanghaiHeader, beaconRoot: true };
export const pragueHeader: HeaderRules = { ...cancunHeader, requestsHash: true };
export const isthmusHeader: HeaderRules = { withdrawalsRoot: 'message-passer', beaconRoot: true, requestsHash: true };
