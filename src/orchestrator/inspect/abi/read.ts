import { basename } from 'node:path';
import { keccak256Text } from '../../../protocol/hash.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { isFolder, readText } from '../../../system/files/folder.ts';
import { type ListedFile, regularFilesBelow } from '../../../system/files/listing.ts';
import type { AbiTables } from './abi.ts';
import { type Artifact, artifactOf, isDeploymentOf } from './artifact.ts';
import type { Signature } from './signature.ts';

/** Limits of a folder of ABIs. They keep a reader within a second and some 100 MB, whatever the folder holds. */
const LIMITS = { depth: 12, entries: 20_000 };
const MAX_FILES = 2000;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_ALL_BYTES = 64 * 1024 * 1024;
const MAX_SIGNATURES = 20_000;
/** Files that a message names. */
const MAX_NAMED_FILES = 3;

/** What a folder of the user says of contracts. */
export interface FolderAbis {
  readonly tables: AbiTables;
  /** Names the contract that has this code (hex with `0x`), undefined if no artifact fits. */
  nameOf(code: string): string | undefined;
  /** What in the folder cannot be used. */
  readonly problems: readonly string[];
}

/** Lists the files of a folder that may hold an ABI. `stamp`: equal as long as none of them changes. */
export function listAbis(folder: string) {
  const isAbi = (name: string) => name.endsWith('.json') && !name.endsWith('.dbg.json');
  const { files, isComplete } = regularFilesBelow(folder, LIMITS, isAbi);
  // The inputs and outputs of the compiler: as large as all artifacts together, with no ABI at the top.
  const listed = files.filter(({ path }) => !path.includes('/build-info/'));
  const stamp = listed.map(({ path, size, modifiedMs }) => `${path} ${size} ${modifiedMs}`).join('\n');
  return { files: listed, isComplete, stamp };
}

/** Reads the ABIs of a folder, within limits. Never throws: what cannot be read becomes a problem. */
export function readAbis(folder: string, { files, isComplete }: ReturnType<typeof listAbis>): FolderAbis {
  const artifacts: Artifact[] = [];
  const faults = new Map<string, string[]>();
  const blame = (fault: string, { path }: ListedFile) =>
    faults.set(fault, [...(faults.get(fault) ?? []), path.slice(folder.length + 1)]);
  let bytes = 0;
  for (const [at, file] of files.entries()) {
    bytes += file.size <= MAX_FILE_BYTES ? file.size : 0;
    if (file.size > MAX_FILE_BYTES) blame(`larger than ${MAX_FILE_BYTES} bytes`, file);
    else if (at >= MAX_FILES || bytes > MAX_ALL_BYTES) blame('beyond the limit of 2,000 files and 64 MB', file);
    else {
      const artifact = parsed(file.path);
      if (artifact === null) blame('no valid JSON', file);
      else if (artifact !== undefined) {
        artifacts.push(artifact);
        if (artifact.refused > 0) blame('entries of no valid type or name', file);
      }
    }
  }
  const { tables, left } = tablesOf(artifacts);
  const problems = [
    ...(isFolder(folder) ? [] : ['no such folder']),
    ...(isFolder(folder) && artifacts.length === 0 ? ['no ABI in it'] : []),
    ...(isComplete ? [] : ['too many or too deep folders: a part of it is not read']),
    ...(left === 0 ? [] : [`${left} entries beyond the limit of ${MAX_SIGNATURES} are left out`]),
    ...[...faults].map(([fault, paths]) => `${pathsText(paths)}: ${fault}`),
  ];
  return { tables, nameOf: namesByCode(artifacts), problems };
}

/** Undefined if a file holds no ABI; null if it is no JSON. */
function parsed(path: string): Artifact | undefined | null {
  try {
    return artifactOf(JSON.parse(readText(path) ?? ''), basename(path));
  } catch {
    return null;
  }
}

function pathsText(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED_FILES).map((path) => JSON.stringify(path.slice(-100)));
  return paths.length > names.length ? `${names.join(', ')} and ${paths.length - names.length} more` : names.join(', ');
}

function tablesOf(artifacts: readonly Artifact[]): { readonly tables: AbiTables; readonly left: number } {
  const functions: Record<string, string> = {};
  const errors: Record<string, string> = {};
  const events: Record<string, string[]> = {};
  // The same entry in many artifacts is hashed once.
  const byText = new Map<string, Signature>();
  for (const { signatures } of artifacts) for (const each of signatures) byText.set(each.readable, each);
  const all = [...byText.values()];
  for (const { kind, canonical, readable } of all.slice(0, MAX_SIGNATURES)) {
    const hash = bytesToHex(keccak256Text(canonical));
    if (kind === 'function') functions[hash.slice(0, 10)] ??= readable;
    else if (kind === 'error') errors[hash.slice(0, 10)] ??= readable;
    else {
      events[hash] ??= [];
      events[hash].push(readable);
    }
  }
  return { tables: { functions, errors, events }, left: Math.max(0, all.length - MAX_SIGNATURES) };
}

function namesByCode(artifacts: readonly Artifact[]): FolderAbis['nameOf'] {
  const byLength = new Map<number, { readonly name: string; readonly code: string }[]>();
  for (const { name, code } of artifacts) {
    if (name === undefined || code === undefined) continue;
    const others = byLength.get(code.length);
    if (others === undefined) byLength.set(code.length, [{ name, code }]);
    else others.push({ name, code });
  }
  return (code) => {
    const bare = code.slice(2).toLowerCase();
    return byLength.get(bare.length)?.find((each) => isDeploymentOf(each.code, bare))?.name;
  };
}
