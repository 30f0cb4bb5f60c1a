import type { Hex } from '../../../protocol/types.ts';
import { Failure } from '../../../system/failure.ts';
import { type FileStore, openLineFile } from '../../../system/files/line-file.ts';
import { openBlobStore } from './blob-store.ts';
import type { JournalBlock, StateChange } from './block.ts';

/** The chain of a journal. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly genesisHash: Hex;
}

/** The chain that a journal holds. */
export interface JournalChain {
  /** From block 1 on, in order. */
  readonly blocks: readonly JournalBlock[];
  /** By block number, from genesis on: the changes after the block and before the next one. */
  readonly changes: readonly (readonly StateChange[])[];
}

/**
 * The L1 chain on disk. anvil keeps its chain in memory and receives these blocks again after a restart.
 * A reorganisation appends a rollback line, so that no line ever changes.
 */
export interface Journal {
  /** undefined in a new journal. */
  readonly identity: ChainIdentity | undefined;
  begin(identity: ChainIdentity): void;
  append(block: JournalBlock): void;
  /** Appends a change after the newest block. */
  change(change: StateChange): void;
  /** Removes every block above `number`, and all but the first `changes` changes after it. */
  rollback(number: number, changes: number): void;
  read(): JournalChain;
  /** Network forms of type 3 transactions by hash. */
  readonly blobTransactions: FileStore;
  close(): void;
}

type Line =
  | { readonly identity: ChainIdentity }
  | { readonly block: JournalBlock }
  | { readonly change: StateChange }
  | { readonly rollback: number; readonly changes?: number };

/** Opens or creates the journal of a data folder. @throws Failure `journal` on a file of another format */
export function openJournal(folder: string): Journal {
  const path = `${folder}/l1.jsonl`;
  const file = openLineFile(path);
  const atOpening = read();
  let { identity } = atOpening;
  /** Held until the first read or change, so that a start parses the file once. */
  let cache: JournalChain | undefined = atOpening;

  function read(): JournalChain & { identity: ChainIdentity | undefined } {
    let newest: ChainIdentity | undefined;
    const blocks: JournalBlock[] = [];
    /** The last list has the changes after the newest block. */
    const changes: StateChange[][] = [[]];
    for (const [at, text] of file.lines().entries()) {
      const line = parse(text, at + 1);
      if ('identity' in line) newest = line.identity;
      else if ('change' in line) changes.at(-1)?.push(line.change);
      else if ('rollback' in line) {
        blocks.length = Math.min(blocks.length, line.rollback);
        changes.length = blocks.length + 1;
        changes.at(-1)?.splice(line.changes ?? Number.POSITIVE_INFINITY);
      } else if (line.block.number === blocks.length + 1) {
        blocks.push(line.block);
        changes.push([]);
      } else throw corrupt(at + 1, `block ${line.block.number} after block ${blocks.length}`);
    }
    return { identity: newest, blocks, changes };
  }

  function parse(text: string, line: number): Line {
    try {
      return JSON.parse(text) as Line;
    } catch {
      throw corrupt(line, 'no JSON');
    }
  }

  function corrupt(line: number, what: string): Failure {
    return new Failure('journal', `${path}:${line} is not a line of an L1 journal: ${what}`, {
      data: { path, line },
      hint: `remove ${path} to begin L1 anew`,
    });
  }

  function append(line: Line): void {
    cache = undefined;
    file.append(JSON.stringify(line));
  }

  return {
    get identity() {
      return identity;
    },
    begin(next) {
      identity = next;
      append({ identity: next });
    },
    append: (block) => append({ block }),
    change: (change) => append({ change }),
    rollback: (number, changes) => append({ rollback: number, changes }),
    read() {
      const chain = cache ?? read();
      cache = undefined;
      return chain;
    },
    blobTransactions: openBlobStore(`${folder}/blobs`),
    close: () => file.close(),
  };
}
