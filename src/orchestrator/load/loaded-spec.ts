import type { SpecFiles } from '../spec/checks/check.ts';
import type { Json } from '../spec/schema/json.ts';
import type { Spec } from '../spec/schema/types.ts';
import type { Assignment } from '../spec/text/set.ts';
import type { Source } from '../spec/text/source.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { FoundSpec } from './find-spec.ts';

export interface LoadedSpec {
  readonly source: Source;
  readonly spec: Spec;
  /** The spec as it would be written with every default. */
  readonly document: Json;
  readonly clients: ReadonlyMap<string, ClientTemplate>;
  /** Contents of the files that the spec names. */
  readonly files: SpecFiles;
}

/** The arguments of a command line that select and change the spec. */
export interface SpecInput {
  /** A path, the name of a sample, or a text. Absent: devnet.yaml in the current folder, else `default`. */
  readonly spec: string | FoundSpec | undefined;
  readonly set: readonly Assignment[];
  /** `NODE.el` or `NODE.cl`, `CHAIN/NODE.el` if chains share a node's name. */
  readonly manual: readonly string[];
}
