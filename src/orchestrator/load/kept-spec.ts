import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sha256 as checksum, openCache } from '../../system/files/cache.ts';
import { exists, readText, unreadable } from '../../system/files/folder.ts';
import { BUILD } from '../../system/program/build.ts';
import { packageRoot } from '../../system/program/entry.ts';
import type { Json } from '../spec/schema/json.ts';
import type { ForksSpec, Spec } from '../spec/schema/types.ts';
import type { Source } from '../spec/text/source.ts';
import { cacheFolder, homeFolder } from '../state/paths.ts';
import { type TemplateData, withOverrides } from '../template/fork-options.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { Io } from '../terminal/io.ts';
import type { FoundSpec } from './find-spec.ts';
import type { SpecInput } from './loaded-spec.ts';
import { clientNames, sampleNames } from './package-files.ts';

/** A checked spec and the texts that it was read from. */
interface Checked {
  readonly spec: Spec;
  readonly document: Json;
  readonly clients: ReadonlyMap<string, ClientTemplate>;
}

interface Copy {
  /** Paths of all files that were read, and the hash of their texts. */
  readonly paths: readonly string[];
  readonly texts: string;
  readonly spec: Spec;
  readonly document: Json;
  readonly clients: readonly (readonly [string, TemplateData])[];
}

/**
 * Caches specs that this build of the package has read and checked.
 * The key covers the command line and every text that was read. A cached spec saves more time than planning takes.
 * Nothing is cached if the home does not exist yet or if the program runs from sources.
 */
export function keptSpecs(
  io: Pick<Io, 'cwd' | 'env'>,
  { source, name }: FoundSpec,
  { set, manual }: SpecInput,
  build = BUILD,
) {
  const home = resolve(io.cwd, homeFolder(io.env));
  const cache = openCache(cacheFolder(home, 'spec'), checksum);
  const contracts = readText(join(packageRoot(), 'dist', 'contracts.hash'));
  const request = [build, contracts, io.cwd, source, name, set, manual, sampleNames(), clientNames()];
  const key = sha256(JSON.stringify(request));
  return {
    find(): Checked | undefined {
      const text = build === undefined ? undefined : cache.read(key);
      if (text === undefined) return undefined;
      const copy = JSON.parse(text.toString()) as Copy;
      if (textsHash(copy.paths.map(textOf)) !== copy.texts) return undefined;
      return {
        spec: copy.spec,
        document: copy.document,
        clients: new Map(copy.clients.map(([client, data]) => [client, withOverrides(data)])),
      };
    },
    keep({ spec, document, clients, texts }: Checked & { readonly texts: readonly Source[] }): void {
      if (
        build === undefined ||
        contracts === undefined ||
        !exists(home) ||
        !isTimeless(spec) ||
        namesFiles(spec, clients)
      )
        return;
      // A text without a path is part of the key.
      const read = new Map(
        texts.filter((text) => text !== source || source.path !== undefined).map(({ path, text }) => [path, text]),
      );
      const paths = [...read.keys()];
      if (!paths.every((path) => path !== undefined)) return;
      const copy: Copy = { paths, texts: textsHash([...read.values()]), spec, document, clients: [...clients] };
      const text = JSON.stringify(copy);
      // JSON cannot represent these values.
      if (!isDeepStrictEqual(JSON.parse(text).spec, spec)) return;
      cache.write(key, text);
    },
  };
}

/**
 * Returns whether the checks of a spec give the same result later. They compare the fork times with genesis, so all of
 * them must be fixed if genesis is, and relative if genesis is the moment of the start.
 */
function isTimeless({ time, chains }: Spec): boolean {
  const moving = time.genesis === 'now' ? 'at' : 'now';
  const moves = (times: ForksSpec['times']) => Object.values(times).some(({ kind }) => kind === moving);
  return Object.values(chains).every(
    ({ forks, nodes }) => !moves(forks.times) && !Object.values(nodes).some(({ override }) => moves(override)),
  );
}

/** Returns whether the result depends on files or programs beside the texts. Those may change. */
function namesFiles({ l1, chains }: Spec, clients: Checked['clients']): boolean {
  const processes = Object.values(chains).flatMap(({ batcher, proposer, signer, altDa, conductor, nodes }) => [
    ...(batcher === null ? [] : [batcher]),
    ...(proposer === null ? [] : [proposer]),
    ...(signer === null ? [] : [signer]),
    ...(altDa === null ? [] : [altDa]),
    ...(conductor === null ? [] : [conductor]),
    ...(proposer?.challenger == null ? [] : [proposer.challenger]),
    ...Object.values(nodes).flatMap(({ el, cl }) => [el, cl]),
  ]);
  return (
    [l1, l1.beacon, ...processes].some(
      ({ binary, client }) => binary !== undefined || (clients.get(client)?.program ?? null) !== null,
    ) ||
    l1.alloc !== null ||
    Object.values(chains).some(
      ({ from, alloc, bundles }) => from !== null || alloc !== null || Object.keys(bundles).length > 0,
    )
  );
}

/** Reads a file again; undefined if the path is no longer a readable file. */
function textOf(path: string): string | undefined {
  return unreadable(path) === undefined ? readText(path) : undefined;
}

function textsHash(texts: readonly (string | undefined)[]): string {
  return sha256(JSON.stringify(texts));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
