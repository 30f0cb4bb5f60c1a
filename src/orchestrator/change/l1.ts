import { type Devnet, withControlOf } from '../devnet/select.ts';

interface BlockName {
  readonly number: number;
  readonly hash: string;
}

/** A reorganisation of L1. */
export interface L1Reorg {
  /** The newest block that stayed. */
  readonly common: BlockName;
  /** The heads before and after it. */
  readonly from: BlockName;
  readonly to: BlockName;
  /** Transactions of the replaced blocks that were sent again, and how many of them no longer fit. */
  readonly sent: number;
  readonly refused: number;
}

/** A stall of L1. */
export interface L1Stall {
  /** Unix milliseconds of the wall clock. */
  readonly since: number;
  /** Time of the network's clock (Unix ms) at which it ends by itself. Null: it does not. */
  readonly until: number | null;
}

/** Longest stall that a command waits for, ms of the wall clock. */
const STALL_TIMEOUT_MS = 24 * 3600 * 1000;

/** Replaces the newest blocks of L1, without the transactions of `drop`. @throws Failure */
export function reorganiseL1(devnet: Devnet, depth: number, drop: readonly string[]): Promise<L1Reorg> {
  const hashes = drop.map((hash) => hash.toLowerCase());
  return withControlOf('l1', devnet, (control) => control.ask<L1Reorg>({ method: 'reorg', depth, drop: hashes }));
}

/** Stalls L1 for some time (ms) of the network's clock; without it until `resumeL1`. @throws Failure */
export function stallL1(devnet: Devnet, ms?: number): Promise<L1Stall> {
  return withControlOf('l1', devnet, async (control) => {
    const request = { method: 'l1', action: 'stall', ...(ms === undefined ? {} : { ms }) } as const;
    return (await control.ask<{ readonly stalled: L1Stall }>(request)).stalled;
  });
}

/** Ends the stall of L1: its next block is that of the next slot. @throws Failure */
export function resumeL1(devnet: Devnet): Promise<L1Stall> {
  return withControlOf(
    'l1',
    devnet,
    async (control) => (await control.ask<{ readonly stalled: L1Stall }>({ method: 'l1', action: 'resume' })).stalled,
  );
}

/** Resolves when no stall of L1 is under way, or when aborted. Returns whether it is over. @throws Failure */
export function l1Resumed(devnet: Devnet, signal: AbortSignal): Promise<boolean> {
  return withControlOf('l1', devnet, async (control) => {
    const aborted = Promise.withResolvers<false>();
    signal.addEventListener('abort', () => aborted.resolve(false), { once: true });
    if (signal.aborted) return false;
    const over = control.ask({ method: 'l1', action: 'wait' }, STALL_TIMEOUT_MS).then(() => true);
    over.catch(() => undefined);
    return Promise.race([over, aborted.promise]);
  });
}
