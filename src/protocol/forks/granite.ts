import { BN256_PAIRING } from '../rules/precompiles.ts';
import { fjord } from './fjord.ts';
import { defineFork } from './fork.ts';

/** Specification: granite. Short channel timeout, bounded pairing input. */
export const granite = defineFork({
  name: 'granite',
  follows: 'fjord',
  rules: {
    precompiles: { ...fjord.rules.precompiles, inputLimits: { [BN256_PAIRING]: 112_687 } },
    channels: { ...fjord.rules.channels, timeout: () => 50 },
  },
});
