import { abiL1Attributes } from '../rules/l1-attributes/abi.ts';
import { overheadScalarL1Fee } from '../rules/l1-fee/overhead-scalar.ts';
import { defineFork } from './fork.ts';

/** Specification: regolith. Deposits are metered. */
export const regolith = defineFork({
  name: 'regolith',
  follows: 'bedrock',
  override: null,
  rules: {
    deposit: { metered: true, receiptVersion: false },
    l1Attributes: abiL1Attributes,
    l1Fee: overheadScalarL1Fee,
  },
});
