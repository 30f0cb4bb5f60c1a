import type { SpecFiles } from '../spec/checks/check.ts';
import type { Json } from '../spec/json.ts';
import type { Source } from '../spec/source.ts';
import type { Spec } from '../spec/spec.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { Io } from './command.ts';
import { findSpec } from './find-spec.ts';
import { keptSpecs } from './kept-spec.ts';

/** What a command line says of the spec. */
export interface SpecInput {
  /** A path, or the name of a sample; absent: devnet.yaml here, else `default`. */
  readonly spec: string | undefined;
  /** `path=value` */
  readonly set: readonly string[];
  /** `NODE.el` or `NODE.cl`, `CHAIN/NODE.el` where chains share a node's name. */
  readonly manual: readonly string[];
}

export interface LoadedSpec {
  readonly source: Source;
  readonly spec: Spec;
  /** The spec as it would be written with every default. */
  readonly document: Json;
  readonly clients: ReadonlyMap<string, ClientTemplate>;
  /** Contents of the files that it names. */
  readonly files: SpecFiles;
}

/**
 * The spec of a command line, with the clients that it uses: as it was read from the same texts before, or read now.
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
      files: { rollupConfigs: {}, genesisConfigs: {}, bundleTexts: {}, allocs: {} },
    };
  // What checks a spec takes longer to load than most of them to be read.
  const { readSpec } = await import('./read-spec.ts');
  const read = readSpec(io, found, input, now);
  kept.keep(read);
  return read;
}
