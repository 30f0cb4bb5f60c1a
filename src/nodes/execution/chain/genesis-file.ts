import { parseGenesis } from '../../../protocol/genesis/file/genesis-fields.ts';
import { UnclearJson } from '../../../protocol/genesis/file/unique-json.ts';
import { readGenesisAlloc } from '../../../protocol/genesis/genesis-file.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { readInPieces, readWhole } from '../../../system/files/copy.ts';
import { type Alloc, type ChainDefinition, defineChain } from './genesis.ts';
import { malformedGenesis } from './malformed-genesis.ts';
import { splitAlloc } from './split-alloc.ts';

/** genesis.json in two parts. `alloc` is parsed only if no cache holds its state. */
export interface GenesisFile {
  readonly definition: ChainDefinition;
  /** sha256 of the text of `alloc`, hex. */
  readonly allocKey: string;
  alloc(): Alloc;
}

/** Reads genesis.json except `alloc`, which is hashed. @throws Failure `genesis` */
export function readGenesisFile(path: string): GenesisFile {
  const { rest, allocKey } = readable(path, () => split(path, readInPieces(path)));
  return {
    definition: defined(path, rest),
    allocKey,
    alloc() {
      const bytes = readable(path, () => readWhole(path));
      if (split(path, [bytes]).allocKey !== allocKey) throw malformedGenesis(path, 'it changed while it was read');
      const read = readGenesisAlloc(allocOf(path, bytes.toString('utf8')));
      if (!read.ok) throw malformedGenesis(path, read.problems.join('; '));
      return read.value;
    },
  };
}

function defined(path: string, rest: string): ChainDefinition {
  try {
    return defineChain(rest, path);
  } catch (error) {
    // The lines of this part are not those of the file, which has its state before or between them.
    if (error instanceof Failure && error.cause instanceof UnclearJson)
      allocOf(path, readable(path, () => readWhole(path)).toString('utf8'));
    throw error;
  }
}

function allocOf(path: string, text: string): unknown {
  try {
    return (parseGenesis(text) as { readonly alloc: unknown }).alloc;
  } catch (cause) {
    throw malformedGenesis(path, 'it is not valid JSON', cause);
  }
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('genesis', `cannot read the genesis file ${path}`, { data: { path }, exit: EXIT.usage, cause });
  }
}

function split(path: string, pieces: Iterable<Buffer>): { readonly rest: string; readonly allocKey: string } {
  const { rest, allocKey } = splitAlloc(pieces);
  if (allocKey === undefined) throw malformedGenesis(path, 'it has no "alloc"');
  return { rest, allocKey };
}
