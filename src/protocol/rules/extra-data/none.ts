import { hexLength } from '../../hex.ts';
import type { ExtraDataRules } from '../rules.ts';
import { extraDataError } from './error.ts';

/** extraData before holocene: none, except in the genesis block (op-geth: `ValidateOptimismExtraData`). */
export const noExtraData: ExtraDataRules = {
  length: 0,
  encode: () => '0x',
  decode(extraData) {
    if (hexLength(extraData) > 0) throw extraDataError(extraData, 'no bytes');
    return null;
  },
};
