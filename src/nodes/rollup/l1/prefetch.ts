import type { L1Header } from '../../../protocol/types.ts';

/** The reads that prefetching makes. */
export interface PrefetchOptions {
  /** Reads the canonical block of a number; null if L1 has none (yet). */
  readonly read: (number: number) => Promise<L1Header | null>;
  /** Tells whether a number may be fetched in advance. */
  readonly mayRead: (number: number) => boolean;
  /** Blocks fetched in advance. */
  readonly blocks: number;
  /** Fetches the rest of a prefetched block. */
  readonly warm: (header: L1Header) => Promise<unknown>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds after which a prefetched block is fetched again: L1 may have been reorganised. */
const MAX_PREFETCH_AGE_MS = 2000;

interface Prefetch {
  readonly at: number;
  readonly header: Promise<L1Header | null>;
}

/**
 * Reads L1 blocks by number, and prefetches the next ones of a reader of consecutive blocks.
 * A prefetched block is used if it is fresh and follows the block read before it. Otherwise it is fetched again.
 */
export function prefetchBlocks(options: PrefetchOptions): (number: number) => Promise<L1Header | null> {
  const { read, mayRead, blocks, now = () => performance.now() } = options;
  const reads = new Map<number, Prefetch>();
  let last: L1Header | undefined;

  function prepare(from: number): void {
    for (let number = from; number < from + blocks && mayRead(number); number++) {
      if (reads.has(number)) continue;
      const header = read(number);
      reads.set(number, { at: now(), header });
      // The reader of the block gets the failure.
      header.then((result) => result && options.warm(result)).catch(() => {});
    }
  }

  async function inAdvance(number: number): Promise<L1Header | null> {
    const read = reads.get(number);
    reads.delete(number);
    if (!read || now() - read.at > MAX_PREFETCH_AGE_MS) return null;
    const header = await read.header;
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
