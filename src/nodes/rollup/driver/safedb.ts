import type { BlockId } from '../../../protocol/types.ts';
import { writeAtomic } from '../../../system/files/atomic-write.ts';
import { openLineFile } from '../../../system/files/line-file.ts';

/** The safe head that derivation reached with an L1 block (op-service: `SafeHeadResponse`). */
export interface SafeEntry {
  readonly l1Block: BlockId;
  readonly safeHead: BlockId;
}

/** The history of the safe head by L1 block (op-node: `SafeDB`). It survives restarts in a file of JSON lines. */
export interface SafeDb {
  /** Records a new safe head (op-node: `SafeHeadUpdated`). */
  note(l1Block: BlockId, safeHead: BlockId): void;
  /** Returns the newest entry at or below an L1 number (op-node: `SafeHeadAtL1`). */
  at(l1Number: number): SafeEntry | undefined;
  /**
   * Drops entries whose safe head is above a height (op-node: `SafeHeadReset`).
   * Their L1 blocks are gone, or will be derived again.
   */
  truncate(safeNumber: number): void;
}

/** A line of the file after which entries whose safe head is above a height are gone. */
interface Truncation {
  readonly truncated: number;
}

/** Opens or creates the file (op-node: `NewSafeDB`). A last line cut off by a crash is dropped. */
export function openSafeDb(path: string): SafeDb {
  let file = openLineFile(path);
  let entries: SafeEntry[] = [];
  for (const line of file.lines()) {
    const read = parse(line);
    if (read === undefined) continue;
    if ('truncated' in read) entries = entries.filter((entry) => entry.safeHead.number <= read.truncated);
    else entries.push(read);
  }
  const rewrite = () => {
    file.close();
    writeAtomic(path, entries.map((entry) => JSON.stringify(entry) + '\n').join(''));
    file = openLineFile(path);
  };
  return {
    note(l1Block, safeHead) {
      const last = entries.at(-1);
      if (last?.safeHead.hash === safeHead.hash) return;
      const entry = {
        l1Block: { hash: l1Block.hash, number: l1Block.number },
        safeHead: { hash: safeHead.hash, number: safeHead.number },
      };
      if (last && last.l1Block.number >= l1Block.number) {
        entries = entries.filter((previous) => previous.l1Block.number < l1Block.number);
        entries.push(entry);
        return rewrite();
      }
      entries.push(entry);
      file.append(JSON.stringify(entry));
    },
    at: (l1Number) => entries.findLast((entry) => entry.l1Block.number <= l1Number),
    truncate(safeNumber) {
      const remaining = entries.filter((entry) => entry.safeHead.number <= safeNumber);
      if (remaining.length === entries.length) return;
      entries = remaining;
      file.append(JSON.stringify({ truncated: safeNumber } satisfies Truncation));
    },
  };
}

function parse(line: string): SafeEntry | Truncation | undefined {
  try {
    const read = JSON.parse(line) as SafeEntry | Truncation;
    if ('truncated' in read) return typeof read.truncated === 'number' ? read : undefined;
    return typeof read.l1Block.number === 'number' && typeof read.safeHead.number === 'number' ? read : undefined;
  } catch {
    return undefined;
  }
}
