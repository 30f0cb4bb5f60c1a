import type { OperatorFeeModel } from '../rules.ts';
import { operatorFee } from './per-million.ts';

/** Specification: jovian, operator fee = gas · scalar · 100 + constant. */
export const timesHundredOperatorFee: OperatorFeeModel = operatorFee((gas, scalar) => gas * scalar * 100n);
