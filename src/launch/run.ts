import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { type CompiledCode, compiledCode } from './compiled-code.ts';
import { isMissingPackage, sayUnusable } from './unusable.ts';

/** What the function that a program's file is gets, as Node's own modules do. */
export const PROGRAM_ARGUMENTS = 'exports,require,module,__filename,__dirname';

export interface Program {
  readonly file: string;
  readonly name: string;
  /** Of the package: code compiled by another one is not its own. */
  readonly build: string;
  /** Where compiled code is kept; undefined: nowhere. */
  readonly folder: string | undefined;
  /** The first word of its command line: a command of a program runs a part of it. */
  readonly word: string;
}

/** Milliseconds after which a program has run what it runs at its start, and V8 has thrown none of that away yet. */
const STARTED = 5000;

/** Programs that are compiled sooner than a file is found. */
const SMALL = 64 * 1024;

/**
 * Runs a program with the code that was compiled when it ran before. Node's own cache keeps what is compiled before a module runs; but most
 * functions are compiled when they are called first, and these are a quarter of the processor time of a start.
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
  const kept = folder === undefined || source.length < SMALL ? undefined : compiledCode(folder, part, build);
  const code = kept?.read();
  const script = new Script(source, { filename: file, ...(code === undefined ? {} : { cachedData: code }) });
  if (kept !== undefined && (code === undefined || script.cachedDataRejected === true)) keepOnce(script, kept);
  return script;
}

/** Keeps what was compiled until the program has started, or ended well: a mistyped command has run nothing that another start would. */
function keepOnce(script: Script, kept: CompiledCode): void {
  const keep = () => {
    clearTimeout(timer);
    process.off('exit', keepAtEnd);
    kept.write(script.createCachedData());
  };
  const keepAtEnd = (code: number) => {
    if (code === 0) keep();
  };
  const timer = setTimeout(keep, STARTED).unref();
  process.on('exit', keepAtEnd);
}
