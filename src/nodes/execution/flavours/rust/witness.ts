import { encodeHeader } from '../../../../protocol/codec/header.ts';
import { bytesToHex } from '../../../../protocol/hex.ts';
import type { WitnessBehaviour } from '../../witness/behaviour.ts';
import type { WitnessRecorder } from '../../witness/execution-witness.ts';
import { sortedHex } from '../../witness/sorted-hex.ts';
import { RevmReads } from './witness-reads.ts';

const recorder = (...args: ConstructorParameters<typeof RevmReads>): WitnessRecorder => new RevmReads(...args);

/**
 * Witness of op-reth: headers as RLP, the oldest first (reth: `debug_execution_witness`).
 * Keys are the unhashed addresses and slots.
 */
export const RUST_WITNESS: WitnessBehaviour = {
  hasModes: true,
  scope: (mode) =>
    mode === 'canonical'
      ? { reads: 'interpreter', recorder, order: 'removals-last', storageRoots: false, newCode: false }
      : { reads: 'interpreter', recorder, order: 'removals-first', storageRoots: true, newCode: true },
  view: ({ state, codes, keys, headers }) => ({
    state: sortedHex(state),
    codes: sortedHex(codes),
    keys: [...keys].flatMap(([address, slots]) => [address, ...slots]),
    headers: headers.map(({ header }) => bytesToHex(encodeHeader(header))).reverse(),
  }),
};
