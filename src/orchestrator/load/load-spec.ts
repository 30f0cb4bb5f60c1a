import type { SpecFiles } from '../spec/checks/check.ts';
import type { Json } from '../spec/schema/json.ts';
import type { Spec } from '../spec/schema/types.ts';
import type { Assignment } from '../spec/text/set.ts';
import type { Source } from '../spec/text/source.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { Io } from '../terminal/command.ts';
import { type FoundSpec, findSpec } from './find-spec.ts';
import { keptSpecs } from './kept-spec.ts';

/** The arguments of a command line that select and change the spec. */
export interface SpecInput {
  /** A path, the name of a sample, or a text. Absent: devnet.yaml in the current folder, else `default`. */
  readonly spec: string | FoundSpec | undefined;
  readonly set: readonly Assignment[];
  /** `NODE.el` or `NODE.cl`, `CHAIN/NODE.el` where chains share a node's name. */
  readonly manual: readonly string[];
}

export interface LoadedSpec {
  readonly source: Source;
  readonly spec: Spec;
  /** The spec as it would be written with every default. */
  readonly document: Json;
  readonly clients: ReadonlyMap<string, ClientTemplate>;
  /** Contents of the files that the spec names. */
  readonly files: SpecFiles;
}

/**
 * Loads the spec of a command line with its clients, from the cache where the texts are unchanged.
 * @throws Failure `spec` (exit 2) with every problem
 */
export async function loadSpec(
  io: Pick<Io, 'cwd' | 'env'>,
  input: SpecInput,
  now = Date.now() / 1000,
): Promise<LoadedSpec> {
  const found = findSpec(io.cwd, input.spec);
  const kept = keptSpecs(io, found, input);
  const known = kept.find();
  if (known !== undefined)
    return {
      source: found.source,
      ...known,
      files: { rollupConfigs: {}, genesisConfigs: {}, genesisFunds: {}, bundleTexts: {}, allocs: {} },
    };
  // Loading the checks takes longer than reading most specs.
  const { readSpec } = await import('./read-spec.ts');
  const read = readSpec(io, found, input, now);
  kept.keep(read);
  return read;
}
