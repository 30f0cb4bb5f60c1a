import type { L1FeeModel } from '../rules.ts';

/** Ethereum itself has no layer below it to pay. */
export const noL1Fee: L1FeeModel = { read: () => null };
