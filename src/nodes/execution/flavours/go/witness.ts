import { headerView } from '../../views/block.ts';
import type { WitnessBehaviour } from '../../witness/behaviour.ts';
import { sortedHex } from '../../witness/sorted-hex.ts';
import { GethReads } from './witness-reads.ts';

/** Witness of op-geth: headers as objects, the parent first (geth: `ExtWitness`). It does not track keys. */
export const GO_WITNESS: WitnessBehaviour = {
  hasModes: false,
  scope: () => ({ reads: 'execution', tracer: (state) => new GethReads(state) }),
  view: ({ state, codes, headers }) => ({
    headers: headers.map(({ hash, header }) => headerView(hash, header)),
    codes: sortedHex(codes),
    state: sortedHex(state),
    keys: null,
  }),
};
