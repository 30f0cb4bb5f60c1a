import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { l2Alloc, l2StateKey, renderAlloc } from '../../protocol/genesis/index.ts';
import { type Cache, crc32, openCache } from '../../system/files/cache.ts';
import { readText } from '../../system/files/folder.ts';
import { packageRoot } from '../../system/program/entry.ts';
import type { FileContent, Plan } from '../plan/plan.ts';
import { type RenderInputs, renderContent } from '../plan/render.ts';
import { cacheFolder } from '../state/paths.ts';
import type { FileCopy } from './files.ts';

/** Placeholder of the genesis state while the text around it is rendered. */
const HOLE = '\u0000';
const KEY = '"alloc":';

/** Bytes before the state of a cached genesis file, for the part that differs between networks. */
const HEAD_BYTES = 8192;

/**
 * Renders a genesis state once for all networks of its kind.
 * The text is cached behind free space for the rest, and copied by the system. Returns undefined if the rest does
 * not
 * fit or the cache is not writable.
 */
export function genesisCopy(content: FileContent, plan: Plan, renderInputs: RenderInputs): FileCopy | undefined {
  const place = placeOf(content, plan, renderInputs);
  if (place === undefined) return undefined;
  const { cache, key, head, inputs, after } = place;
  const text = () => `${' '.repeat(HEAD_BYTES)}${KEY}${renderAlloc(l2Alloc(inputs, renderInputs.contracts))}${after}`;
  const from = cache.find(key) ?? cache.write(key, text());
  return from === undefined ? undefined : { from, head };
}

/** Returns how the supervisor gets the large files of a plan: as copies, or as texts that follow. */
export function knownFiles(plan: Plan, renderInputs: RenderInputs): Readonly<Record<string, FileCopy | 'follows'>> {
  return Object.fromEntries(
    plan.files.flatMap(({ path, content }): readonly (readonly [string, FileCopy | 'follows'])[] => {
      if (content.kind === 'l1-genesis') return [[path, 'follows']];
      const place = placeOf(content, plan, renderInputs);
      const from = place?.cache.locate(place.key);
      return place !== undefined && from !== undefined ? [[path, { from, head: place.head }]] : [];
    }),
  );
}

function placeOf(content: FileContent, plan: Plan, renderInputs: RenderInputs) {
  if (content.kind !== 'l2-genesis') return undefined;
  const inputs = content.inputs;
  const [before = '', after = ''] = renderContent(content, { ...renderInputs, alloc: () => HOLE }).split(HOLE);
  const head = before.slice(0, -KEY.length);
  if (!before.endsWith(KEY) || Buffer.byteLength(head) > HEAD_BYTES) return undefined;
  return { inputs, head, after, ...cacheOf(plan, l2StateKey(inputs, renderInputs.contracts)) };
}

function cacheOf(plan: Plan, state: string): { readonly cache: Cache; readonly key: string } {
  const build = readText(join(packageRoot(), 'dist', 'contracts.hash')) ?? '';
  const key = createHash('sha256').update(`${build} ${state}`).digest('hex');
  return { cache: openCache(cacheFolder(dirname(plan.home), 'genesis-text'), crc32), key };
}
