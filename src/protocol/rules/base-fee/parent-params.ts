import { version0ExtraData } from '../extra-data/version-0.ts';
import type { BaseFeeRules } from '../rules.ts';
import { eip1559BaseFee } from './eip1559.ts';

/**
 * Base fee rules of holocene: the parent's extraData sets the base fee of its child.
 * Counterparts: `DecodeOptimismExtraData` (op-geth), `decode_holocene_base_fee` (op-reth). Specification: holocene,
 * dynamic EIP-1559 parameters.
 */
export const parentParamsBaseFee: BaseFeeRules = {
  next: (parent, constants) =>
    eip1559BaseFee(parent, version0ExtraData.decode(parent.extraData) ?? constants, parent.gasUsed),
};
