import type { L1FeeModel } from '../rules.ts';

/** L1 fee model of Ethereum itself, which has no layer below it: no fee. */
export const noL1Fee: L1FeeModel = { read: () => null };
