import type { OperatorFeeModel } from '../rules.ts';
import { operatorFee } from './per-million.ts';

/** Operator fee model of jovian: gas · scalar · 100 + constant (op-core: `OperatorCostJovian`). */
export const timesHundredOperatorFee: OperatorFeeModel = operatorFee((gas, scalar) => gas * scalar * 100n);
