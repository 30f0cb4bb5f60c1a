import { deltaBatches } from '../parts/batches.ts';
import { defineFork } from './fork.ts';

/** Specification: delta. Span batches; derivation only. */
export const delta = defineFork({ name: 'delta', genesisKey: null, parts: { batches: deltaBatches } });
