import type { OperatorFeeModel } from '../rules.ts';

/** Before isthmus there is no operator fee. */
export const noOperatorFee: OperatorFeeModel = { read: () => null };
