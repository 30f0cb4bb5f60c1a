import { hexLength } from '../../hex.ts';
import type { ExtraDataRules } from '../rules.ts';
import { extraDataError } from './error.ts';

const MAX_BYTES = 32;

/** extraData of Ethereum: up to 32 bytes without a meaning (geth: `MaximumExtraDataSize`; Yellow Paper, 4.4.4). */
export const shortExtraData: ExtraDataRules = {
  length: 0,
  encode: () => '0x',
  decode(extraData) {
    if (hexLength(extraData) > MAX_BYTES) throw extraDataError(extraData, `at most ${MAX_BYTES} bytes`);
    return null;
  },
};
