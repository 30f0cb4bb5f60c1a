import { hexLength } from '../../hex.ts';
import type { ExtraDataRules } from '../rules.ts';
import { extraDataError } from './error.ts';

/** Before holocene a block's extraData is empty (the genesis block's is arbitrary). */
export const noExtraData: ExtraDataRules = {
  length: 0,
  encode: () => '0x',
  decode(extraData) {
    if (hexLength(extraData) > 0) throw extraDataError(extraData, 'no bytes');
    return null;
  },
};
