import type { BaseFeeRules } from '../rules.ts';
import { eip1559BaseFee } from './eip1559.ts';

/** Base fee rules before holocene: the chain's constants alone set the base fee. */
export const chainConstantsBaseFee: BaseFeeRules = {
  next: (parent, constants) => eip1559BaseFee(parent, constants, parent.gasUsed),
};
