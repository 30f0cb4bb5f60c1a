import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { type Cache, crc32, openCache } from '../system/files/cache.ts';
import { isMissingPackage, sayUnusable } from './unusable.ts';

/** Parameters of the function in a program's file, as Node passes them to its own modules. */
export const PROGRAM_ARGUMENTS = 'exports,require,module,__filename,__dirname';

export interface Program {
  readonly file: string;
  readonly name: string;
  /** Of the package. Code of another build does not fit. */
  readonly build: string;
  /** Folder of compiled code, undefined for none. */
  readonly folder: string | undefined;
  /** First word of the command line. Each command of a program compiles another part of it. */
  readonly word: string;
}

/** Delay (ms) of the snapshot: start-up is over, and V8 has thrown none of its code away yet. */
const SNAPSHOT_DELAY_MS = 5000;

/** Size (bytes) below which compiling a program takes less time than opening the cache. */
const MIN_CACHED_BYTES = 64 * 1024;

/**
 * Runs a program with the code that an earlier run compiled.
 * Node's own cache keeps what is compiled before a module runs. Most functions compile at their first call, which is a
 * quarter of the processor time of a start.
 */
export function runProgram(program: Program): void {
  const { file, name } = program;
  let script: Script;
  try {
    script = compiled(program);
  } catch (error) {
    sayUnusable(name, file, error);
    return;
  }
  const run = script.runInThisContext() as (...values: readonly unknown[]) => void;
  const module = { exports: {} };
  try {
    run(module.exports, createRequire(file), module, file, dirname(file));
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    sayUnusable(name, file, error);
  }
}

function compiled({ file, name, build, folder, word }: Program): Script {
  const source = readFileSync(file, 'utf8');
  const part = /^[a-z]+$/.test(word) ? `${name}-${word}` : name;
  const cache = folder === undefined || source.length < MIN_CACHED_BYTES ? undefined : openCache(folder, crc32);
  const key = `${part}.${process.version}.${build}`;
  const cachedData = cache?.read(key);
  const script = new Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  if (cache !== undefined && (cachedData === undefined || script.cachedDataRejected === true))
    storeOnce(script, cache, key);
  return script;
}

/**
 * Stores the compiled code 5 s after the start or at a successful end.
 * A failed command is not stored: it ran little of what another start needs.
 */
function storeOnce(script: Script, cache: Cache, key: string): void {
  const store = () => {
    clearTimeout(timer);
    process.off('exit', storeAtEnd);
    cache.write(key, script.createCachedData());
  };
  const storeAtEnd = (code: number) => {
    if (code === 0) store();
  };
  const timer = setTimeout(store, SNAPSHOT_DELAY_MS).unref();
  process.on('exit', storeAtEnd);
}
