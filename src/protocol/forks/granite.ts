import { graniteChannels } from '../parts/channels.ts';
import { granitePrecompiles } from '../parts/precompiles.ts';
import { defineFork } from './fork.ts';

/** Specification: granite. Short channel timeout, bounded pairing input. */
export const granite = defineFork({
  name: 'granite',
  parts: { precompiles: granitePrecompiles, channels: graniteChannels },
});
