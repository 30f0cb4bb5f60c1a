import { regolithDeposit } from '../parts/deposit.ts';
import { regolithL1Attributes } from '../parts/l1-attributes/abi.ts';
import { regolithL1Fee } from '../parts/l1-fee/overhead-scalar.ts';
import { defineFork } from './fork.ts';

/** Specification: regolith. Deposits are metered. */
export const regolith = defineFork({
  name: 'regolith',
  override: null,
  parts: { deposit: regolithDeposit, l1Attributes: regolithL1Attributes, l1Fee: regolithL1Fee },
});
