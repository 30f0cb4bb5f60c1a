import type { Unit } from './unit.ts';

/** The entry program in the package's image, as an argument list: the image needs no shell. */
export const ENTRY = ['node', '/opt/rollup-devnet/dist/entry.js'];

/** Memory (MB) above which an engine ends a unit: several times what it has after a day of transfers. */
export const MEMORY_MB: Readonly<Record<Unit['kind'], number>> = {
  beacon: 2048,
  el: 2048,
  cl: 1024,
  batcher: 1024,
  proposer: 512,
  challenger: 512,
  signer: 256,
  'da-server': 256,
  conductor: 256,
};
