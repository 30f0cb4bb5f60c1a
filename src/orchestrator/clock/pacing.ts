/** The network's clock, as transactions move it. */
export interface MovableClock {
  /** Unix milliseconds. */
  now(): number;
  /** Moves it to the next time at which a block of this block time (seconds) is due. */
  advance(blockTime: number): void;
}

/** A chain whose due block the clock waits for. */
export interface PacedChain {
  /** Records its newest block, with the timestamp in Unix seconds. */
  made(time: number): void;
  /** Calls for its next block. Without effect while one is due. */
  call(): void;
}

/** Wall time (ms) in which a chain must make its due block. The clock does not wait longer for a stopped one. */
const BLOCK_TIMEOUT_MS = 1000;

interface Chain {
  readonly blockTime: number;
  /** Unix seconds of the newest block; undefined before it is known. */
  head: number | undefined;
  isCalled: boolean;
  /** Since when (monotonic ms) its next block is due. */
  dueSince: number | undefined;
}

/**
 * Creates the pace of a clock that follows calls for blocks. It moves when all chains have made the blocks that are
 * due. Otherwise it would run away from the slowest one, whose blocks peers then refuse as too old.
 * Returns what adds a chain by its block time (seconds).
 */
export function pacing(clock: MovableClock, patience = BLOCK_TIMEOUT_MS): (blockTime: number) => PacedChain {
  const chains: Chain[] = [];
  let timer: NodeJS.Timeout | undefined;

  const isDue = ({ head, blockTime }: Chain) => head !== undefined && (head + blockTime) * 1000 <= clock.now();

  /** Returns for how long (ms) the clock still waits for a chain. */
  function waitFor(chain: Chain): number {
    if (!isDue(chain)) return 0;
    chain.dueSince ??= performance.now();
    return Math.max(0, patience - (performance.now() - chain.dueSince));
  }

  function settle(): void {
    clearTimeout(timer);
    // The block that is due takes the transaction, or the call is made again after it.
    for (const chain of chains) if (isDue(chain)) chain.isCalled = false;
    const called = chains.filter(({ isCalled }) => isCalled);
    if (called.length === 0) return;
    const waits = chains.map(waitFor).filter((ms) => ms > 0);
    if (waits.length > 0) {
      timer = setTimeout(settle, Math.min(...waits)).unref();
      return;
    }
    for (const chain of called) {
      chain.isCalled = false;
      if (!isDue(chain)) clock.advance(chain.blockTime);
    }
  }

  return (blockTime) => {
    const chain: Chain = { blockTime, head: undefined, isCalled: false, dueSince: undefined };
    chains.push(chain);
    return {
      made(time) {
        chain.head = time;
        chain.dueSince = undefined;
        settle();
      },
      call() {
        chain.isCalled = true;
        settle();
      },
    };
  };
}
