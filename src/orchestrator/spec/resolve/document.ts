import { stringify } from 'yaml';
import * as z from 'zod/mini';
import { at, edit, isMap, type Json, mapValues } from '../schema/json.ts';
import { specSchema } from '../schema/spec.ts';
import type { ChainSpec, Spec } from '../schema/types.ts';

/** Keys of a chain that the files of an existing chain decide. */
export const DECIDED = ['chainId', 'blockTime', 'gasLimit', 'sequenceWindow', 'systemConfig', 'forks'];

/** Writes a resolved spec as a document, every default written out. Reading it gives the same spec. */
export function specDocument(spec: Spec): Json {
  return withoutDecided(z.encode(specSchema, { ...spec, chains: mapValues(spec.chains, withoutFront) }));
}

/** Removes what follows from the conductor's client. */
function withoutFront({ conductor, ...chain }: ChainSpec) {
  if (conductor === null) return { ...chain, conductor };
  const { front, ...process } = conductor;
  return { ...chain, conductor: process };
}

/** Removes from chains what the files of an existing chain decide. */
export function withoutDecided(spec: Json): Json {
  return edit(spec, ['chains', '*'], (chain) =>
    isMap(chain) && isMap(at(chain, ['from']))
      ? mapValues(chain, (value, key) => (DECIDED.includes(key) ? undefined : value))
      : chain,
  );
}

/** Prints a document as YAML. */
export function documentText(document: Json): string {
  return stringify(document, { lineWidth: 0 });
}
