import { encodeHeader } from '../../../protocol/codec/header.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { headerView } from '../views/block.ts';
import type { ExecutionWitness, WitnessScope } from './execution-witness.ts';

/** The forms of a witness: what the client's first ones held, and what ethereum/execution-specs settled on. */
export type WitnessMode = 'legacy' | 'canonical';

/** What the clients' witnesses differ in. */
export interface WitnessBehaviour {
  /** Whether a request may choose the form. */
  readonly hasModes: boolean;
  readonly scope: (mode: WitnessMode) => WitnessScope;
  readonly view: (witness: ExecutionWitness, mode: WitnessMode) => unknown;
}

const sorted = (list: readonly Uint8Array[]): Hex[] => list.map(bytesToHex).sort();

/** Headers as objects, the parent first; keys are not tracked. */
export const GO_WITNESS: WitnessBehaviour = {
  hasModes: false,
  scope: () => ({ reads: 'execution' }),
  view: ({ state, codes, headers }) => ({
    headers: headers.map(({ hash, header }) => headerView(hash, header)),
    codes: sorted(codes),
    state: sorted(state),
    keys: null,
  }),
};

/** Headers as RLP, the oldest first; keys are those of the state before they are hashed. */
export const RUST_WITNESS: WitnessBehaviour = {
  hasModes: true,
  scope: (mode) =>
    mode === 'canonical'
      ? { reads: 'interpreter', order: 'removals-last', storageRoots: false, newCode: false }
      : { reads: 'interpreter', order: 'removals-first', storageRoots: true, newCode: true },
  view: ({ state, codes, keys, headers }) => ({
    state: sorted(state),
    codes: sorted(codes),
    keys: [...keys].flatMap(([address, slots]) => [address, ...slots]),
    headers: headers.map(({ header }) => bytesToHex(encodeHeader(header))).reverse(),
  }),
};
