import { fjordBatches } from '../parts/batches.ts';
import { fjordChannels } from '../parts/channels.ts';
import { fjordL1Fee } from '../parts/l1-fee/compressed-size.ts';
import { fjordPrecompiles } from '../parts/precompiles.ts';
import { defineFork } from './fork.ts';

/** Specification: fjord. Brotli channels, the L1 fee by compressed size, P256VERIFY. */
export const fjord = defineFork({
  name: 'fjord',
  parts: { precompiles: fjordPrecompiles, l1Fee: fjordL1Fee, channels: fjordChannels, batches: fjordBatches },
  upgrade: { qualifiedIntents: false, addsGas: false },
  activation: { noTxPool: true },
});
