import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactionReceipt } from 'viem';
import { getTransactionReceipt } from 'viem/actions';
import { present } from '../../protocol/present.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { devnetAt, viewOf } from '../devnet/select.ts';
import { homeOf } from '../folder/home.ts';
import { timeoutFactor } from '../start/ready-budget.ts';
import { pathsOf } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';
import type { ReceiptOf } from '../traffic/transaction.ts';
import type { Evidence, ReadStep, Run, StepResult } from './step.ts';

/** The outcome of one check of a condition. */
export type Verdict =
  | { readonly holds: true; readonly evidence: Evidence }
  | { readonly holds: false; readonly because: string; readonly evidence?: Evidence };

/** Time (ms) between two checks of a condition. */
const CONDITION_POLL_MS = 100;

/** Time (ms) for which a condition is checked once more when its time on the network is over. */
const CONDITION_GRACE_MS = 20_000;

/**
 * Checks a condition until it holds; once without a time. The time is that of the network. Processes may need more of
 * the machine's: if time is stepped, the condition is then checked for as long again without another block.
 * @throws Failure `expectation`, or `late` if a time is given, with what the last check found
 */
export async function untilHolds(
  { signal, time, patience = 1 }: Pick<Run, 'signal' | 'time' | 'patience'>,
  withinMs: number | undefined,
  check: () => Promise<Verdict>,
): Promise<Evidence> {
  const deadline = time.now() + (withinMs ?? 0);
  const latest = performance.now() + Math.min(withinMs ?? 0, CONDITION_GRACE_MS) * patience;
  let stuck: Failure | undefined;
  for (;;) {
    const result = await check();
    if (result.holds) return result.evidence;
    signal.throwIfAborted();
    const isOver = stuck !== undefined || time.now() >= deadline;
    if (stuck !== undefined && performance.now() >= latest) throw stuck;
    if (isOver && (time.kind === 'wall' || performance.now() >= latest))
      throw new Failure(
        withinMs === undefined ? 'expectation' : 'late',
        withinMs === undefined ? result.because : `not within ${Math.round(withinMs) / 1000} s: ${result.because}`,
        { exit: EXIT.failed, data: { ...result.evidence } },
      );
    if (isOver) await sleep(CONDITION_POLL_MS, undefined, { signal });
    else
      await time.pass(CONDITION_POLL_MS).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        stuck = error;
      });
  }
}

/** Lets time pass on the network. */
export async function passFor({ time }: Pick<Run, 'time'>, ms: number): Promise<void> {
  const end = time.now() + ms;
  while (time.now() < end) await time.pass(Math.min(ms, end - time.now()));
}

/** Returns a function that waits for a receipt while time goes on. */
export function receiptsOf(run: Pick<Run, 'signal' | 'time'>): ReceiptOf {
  return async (chain, hash, timeoutMs, check) => {
    const receipts: TransactionReceipt[] = [];
    await untilHolds(run, timeoutMs, async () => {
      await check?.();
      const receipt = await getTransactionReceipt(chain, { hash }).catch(() => undefined);
      if (receipt === undefined) return { holds: false, because: `transaction ${hash} is not in a block` };
      receipts.push(receipt);
      return { holds: true, evidence: {} };
    });
    return present(receipts[0], 'receipt');
  };
}

/** Makes the context of the steps of one devnet. */
export function runOf(
  io: Io,
  context: Pick<Run, 'name' | 'seed' | 'folder' | 'signal' | 'time'>,
  perform: (step: ReadStep) => Promise<StepResult>,
): Omit<Run, 'inner'> {
  const devnet = () => devnetAt(pathsOf(homeOf(io), context.name));
  return {
    ...context,
    io,
    patience: timeoutFactor(io.env),
    devnet,
    plan: () => viewOf(devnet()).plan,
    perform,
  };
}
