import type { Hex } from '../../protocol/types.ts';
import { Failure } from '../../system/failure.ts';
import { type FileStore, openFileStore, openLineFile } from '../../system/line-file.ts';
import type { JournalBlock } from './block.ts';

/** The chain of a journal. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly genesisHash: Hex;
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
  /** Removes every block above `number`. */
  rollback(number: number): void;
  /** Reads the blocks from 1 on, in order. */
  blocks(): JournalBlock[];
  /** Network forms of type 3 transactions by hash. */
  readonly blobTransactions: FileStore;
  close(): void;
}

type Line = { readonly identity: ChainIdentity } | { readonly block: JournalBlock } | { readonly rollback: number };

/** Opens or creates the journal of a data folder. @throws Failure `journal` on a file of another format */
export function openJournal(folder: string): Journal {
  const path = `${folder}/l1.jsonl`;
  const file = openLineFile(path);
  const atOpening = read();
  let { identity } = atOpening;
  /** Held until the first read or change, so that a start parses the file once. */
  let held: JournalBlock[] | undefined = atOpening.blocks;

  function read(): { identity: ChainIdentity | undefined; blocks: JournalBlock[] } {
    let found: ChainIdentity | undefined;
    const blocks: JournalBlock[] = [];
    for (const [at, text] of file.lines().entries()) {
      const line = parse(text, at + 1);
      if ('identity' in line) found = line.identity;
      else if ('rollback' in line) blocks.length = Math.min(blocks.length, line.rollback);
      else if (line.block.number === blocks.length + 1) blocks.push(line.block);
      else throw corrupt(at + 1, `block ${line.block.number} after block ${blocks.length}`);
    }
    return { identity: found, blocks };
  }

  function parse(text: string, line: number): Line {
    try {
      return JSON.parse(text) as Line;
    } catch {
      throw corrupt(line, 'no JSON');
    }
  }

  function corrupt(line: number, what: string): Failure {
    return new Failure('journal', `${path}:${line} is no line of an L1 journal: ${what}`, {
      data: { path, line },
      hint: `remove ${path} to begin L1 anew`,
    });
  }

  function append(line: Line): void {
    held = undefined;
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
    rollback: (number) => append({ rollback: number }),
    blocks() {
      const blocks = held ?? read().blocks;
      held = undefined;
      return blocks;
    },
    blobTransactions: openFileStore(`${folder}/blobs`),
    close: () => file.close(),
  };
}
