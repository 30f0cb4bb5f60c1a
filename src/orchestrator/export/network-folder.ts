import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { EXIT, Failure } from '../../system/failure.ts';
import { readJson } from '../../system/files/atomic-write.ts';
import { VERSION } from '../../system/program/common-options.ts';
import { loadSpec } from '../load/load-spec.ts';
import type { LoadedSpec } from '../load/loaded-spec.ts';
import { documentText } from '../spec/resolve/document.ts';
import { edit, type Json, type Path } from '../spec/schema/json.ts';
import type { Assignment } from '../spec/text/set.ts';
import type { Io } from '../terminal/io.ts';

/** Names of the files of an exported network, below the folder that every unit reads. */
const FILES = { network: 'network.json', spec: 'spec.yaml', copies: 'files' } as const;

/** Facts of an exported network beside its spec. */
const networkSchema = z.object({
  format: z.literal(1),
  /** Version of the package that exported it. Another one may plan another network from the same spec. */
  version: z.string(),
  devnet: z.string(),
  /** Chains whose mnemonic stands with the secrets. */
  withOwnMnemonic: z._default(z.array(z.string()), []),
});

/** Values of a spec that only its units may read. */
const secretsSchema = z.object({ seed: z.number(), mnemonics: z.record(z.string(), z.string()) });

/** A file of an export, its path relative to the folder of the export. */
export interface ExportFile {
  readonly path: string;
  readonly text: string;
  /** Only the user and the units read it. */
  readonly secret?: true;
  /** The place of its name in the spec. */
  readonly namedAt?: Path;
}

/** Paths of a spec that name a file of the user. */
const FILE_PATHS: readonly Path[] = [
  ['l1', 'alloc'],
  ['chains', '*', 'alloc'],
  ['chains', '*', 'from', 'genesis'],
  ['chains', '*', 'from', 'rollup'],
  ['chains', '*', 'bundles', '*'],
];

/** Paths of a spec that say in what a process runs. An engine decides that for all. */
const RUNTIMES: readonly Path[] = [
  ['runtime'],
  ['l1', 'runtime'],
  ['l1', 'beacon', 'runtime'],
  ['chains', '*', '*', 'runtime'],
  ['chains', '*', 'nodes', '*', '*', 'runtime'],
];

/**
 * Returns the files from which each unit plans the network: spec with every default, facts, and the user's files.
 * `read` returns the text of a file that the spec names.
 */
export function networkFiles(
  { spec, document }: LoadedSpec,
  cwd: string,
  read: (path: string) => string,
): readonly ExportFile[] {
  const copies = new Map<string, ExportFile>();
  const copied = (value: Json, namedAt: Path): Json => {
    if (typeof value !== 'string') return value;
    const path = resolve(cwd, value);
    const name = `${copies.size}-${path.split('/').at(-1)}`;
    const file = copies.get(path) ?? { path: `${FILES.copies}/${name}`, text: read(path), namedAt };
    copies.set(path, file);
    return `./${file.path}`;
  };
  const withFiles = FILE_PATHS.reduce((value, path) => edit(value, path, copied), document);
  const withoutRuntimes = RUNTIMES.reduce((value, path) => edit(value, path, () => undefined), withFiles);
  const withoutSecrets = [['seed'], ['chains', '*', 'accounts', 'mnemonic']].reduce(
    (value, path) => edit(value, path, () => undefined),
    // Commands on this machine decode, and the folder is on no other one.
    edit(
      edit(withoutRuntimes, ['dashboard'], () => false),
      ['abi'],
      () => undefined,
    ),
  );
  const network: z.output<typeof networkSchema> = {
    format: 1,
    version: VERSION,
    devnet: spec.name,
    withOwnMnemonic: ownMnemonics(spec).map(([chain]) => chain),
  };
  return [
    { path: FILES.network, text: `${JSON.stringify(network, null, 2)}\n` },
    { path: FILES.spec, text: documentText(withoutSecrets) },
    ...copies.values(),
  ];
}

/** Returns the file of the values that are secret. */
export function secretsText({ spec }: LoadedSpec): string {
  return secretsTextOf({ seed: spec.seed, mnemonics: Object.fromEntries(ownMnemonics(spec)) });
}

function secretsTextOf(secrets: z.output<typeof secretsSchema>): string {
  return `${JSON.stringify(secrets, null, 2)}\n`;
}

/** Stands for the secrets of a network where they are not known: its keys come out as others. */
export const NO_SECRETS = secretsTextOf({ seed: 0, mnemonics: {} });

function ownMnemonics({ chains }: LoadedSpec['spec']): readonly (readonly [chain: string, words: string])[] {
  return Object.entries(chains).flatMap(([chain, { accounts }]) =>
    accounts.mnemonic === null ? [] : [[chain, accounts.mnemonic] as const],
  );
}

/** Returns the chains of an exported network whose mnemonic is a secret. */
export function chainsWithOwnMnemonic({ network }: NetworkPaths): readonly string[] {
  return parse(join(network, FILES.network), networkSchema).withOwnMnemonic;
}

/** Where a unit finds the files of its network. */
export interface NetworkPaths {
  /** Folder with the spec. */
  readonly network: string;
  readonly secrets: string;
}

/**
 * Loads an exported network as its units see it. `genesisTime`: Unix seconds; absent: as the spec says.
 * @throws Failure `unit` (exit 2) if the files are another version's, `spec` if they do not fit
 */
export async function loadNetwork(
  io: Pick<Io, 'cwd' | 'env'>,
  paths: NetworkPaths,
  genesisTime?: number,
): Promise<LoadedSpec> {
  checkVersion(paths);
  const secrets = parse(paths.secrets, secretsSchema);
  const set: readonly Assignment[] = [
    `seed=${secrets.seed}`,
    ...Object.entries(secrets.mnemonics).map(([chain, words]) => `chains.${chain}.accounts.mnemonic=${words}`),
    ...(genesisTime === undefined ? [] : [`time.genesis=${genesisTime}`]),
  ];
  return await loadSpec(io, { spec: join(paths.network, FILES.spec), set, manual: [] }, genesisTime);
}

function checkVersion({ network }: NetworkPaths): void {
  const { version } = parse(join(network, FILES.network), networkSchema);
  if (version === VERSION) return;
  throw new Failure('unit', `this image has version ${VERSION}, and version ${version} exported the network`, {
    exit: EXIT.usage,
    hint: `use an image of version ${version}, or export the network again with version ${VERSION}`,
  });
}

function parse<Schema extends z.ZodMiniType>(path: string, schema: Schema): z.output<Schema> {
  const result = z.safeParse(schema, readJson(path));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Failure('unit', `${path}: ${issue?.path.join('.')}: ${issue?.message}`, {
    exit: EXIT.usage,
    hint: 'export the network again',
  });
}
