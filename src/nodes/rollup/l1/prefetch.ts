import type { L1Header } from '../../../protocol/types.ts';

export interface PrefetchOptions {
  /** The canonical block of a number; null where L1 has none (yet). */
  readonly read: (number: number) => Promise<L1Header | null>;
  /** Whether a number may be asked for in advance. */
  readonly mayRead: (number: number) => boolean;
  /** Blocks that are read in advance. */
  readonly blocks: number;
  /** Fetches what else will be wanted of a block that was read in advance. */
  readonly warm: (header: L1Header) => Promise<unknown>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds after which a block that was read in advance is asked for again: L1 may have been reorganised. */
const FRESH = 2000;

interface Read {
  readonly at: number;
  readonly header: Promise<L1Header | null>;
}

/**
 * Reads L1 blocks by number; who takes one after another gets the next ones without waiting. What was read in advance is used where it follows the block
 * taken before it, and soon; else it is asked for again.
 */
export function prefetchBlocks(options: PrefetchOptions): (number: number) => Promise<L1Header | null> {
  const { read, mayRead, blocks, now = () => performance.now() } = options;
  const reads = new Map<number, Read>();
  let last: L1Header | undefined;

  function prepare(from: number): void {
    for (let number = from; number < from + blocks && mayRead(number); number++) {
      if (reads.has(number)) continue;
      const header = read(number);
      reads.set(number, { at: now(), header });
      // Whoever takes it, or asks for the rest, hears of the failure.
      header.then((found) => found && options.warm(found)).catch(() => {});
    }
  }

  async function inAdvance(number: number): Promise<L1Header | null> {
    const known = reads.get(number);
    reads.delete(number);
    if (!known || now() - known.at > FRESH) return null;
    const header = await known.header;
    return header && header.parentHash === last?.hash ? header : null;
  }

  return async (number) => {
    const goesOn = last !== undefined && number === last.number + 1;
    if (!goesOn) reads.clear();
    const header = (await inAdvance(number)) ?? (await read(number));
    last = header ?? undefined;
    if (header && goesOn) prepare(number + 1);
    return header;
  };
}
