import type { Io } from '../terminal/io.ts';
import { findSpec } from './find-spec.ts';
import { keptSpecs } from './kept-spec.ts';
import type { LoadedSpec, SpecInput } from './loaded-spec.ts';

/**
 * Loads the spec of a command line with its clients, from the cache if the texts are unchanged.
 * @throws Failure `spec` (exit 2) with every problem
 */
export async function loadSpec(
  io: Pick<Io, 'cwd' | 'env'>,
  input: SpecInput,
  now = Date.now() / 1000,
): Promise<LoadedSpec> {
  const original = findSpec(io.cwd, input.spec);
  const cache = keptSpecs(io, original, input);
  const copy = cache.find();
  if (copy !== undefined)
    return {
      source: original.source,
      ...copy,
      files: { rollupConfigs: {}, genesisConfigs: {}, genesisFunds: {}, bundleTexts: {}, allocs: {} },
    };
  // Loading the checks takes longer than reading most specs.
  const { readSpec } = await import('./read-spec.ts');
  const read = readSpec(io, original, input, now);
  cache.keep(read);
  return read;
}
