import type { HeaderRules } from './rules.ts';

/** Headers of a rollup's blocks, named for the newest field that each brings (specification: L2 execution engine). */
export const noWithdrawalsHeader: HeaderRules = { withdrawalsRoot: 'absent', beaconRoot: false, requestsHash: false };
export const emptyWithdrawalsHeader: HeaderRules = { ...noWithdrawalsHeader, withdrawalsRoot: 'empty' };
export const beaconRootHeader: HeaderRules = { ...emptyWithdrawalsHeader, beaconRoot: true };
export const messagePasserHeader: HeaderRules = {
  withdrawalsRoot: 'message-passer',
  beaconRoot: true,
  requestsHash: true,
};
