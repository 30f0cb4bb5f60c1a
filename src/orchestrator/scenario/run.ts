import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Plan } from '../plan/plan.ts';
import { pathsOf } from '../run/paths.ts';
import type { Io } from '../workflow/command.ts';
import { homeOf } from '../workflow/home.ts';
import { type Devnet, devnetAt, viewOf } from '../workflow/select.ts';
import type { StepResult } from './result.ts';
import type { ReadStep } from './scenario.ts';
import type { Evidence } from './step.ts';

/** The outcome of one check of a condition. */
export type Found =
  | { readonly holds: true; readonly evidence: Evidence }
  | { readonly holds: false; readonly because: string; readonly evidence?: Evidence };

/** What a running step can reach. */
export interface Run {
  /** Output for people goes to the step's evidence. */
  readonly io: Io;
  /** The devnet's name. */
  readonly name: string;
  readonly seed: number;
  /** Folder of the scenario's file, from which relative paths start. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The steps within the one that runs. */
  readonly inner: readonly ReadStep[];
  devnet(): Devnet;
  /** The plan as it is now: a restart changes it. */
  plan(): Plan;
  /** Lets time pass on the network. */
  pass(ms: number): Promise<void>;
  /** Runs a step within the one that runs. */
  perform(step: ReadStep): Promise<StepResult>;
}

/** Time (ms) between two checks of a condition. */
const AGAIN = 100;

/**
 * Checks a condition until it holds; once without a time.
 * @throws Failure `expectation`, or `late` where a time is given, with what the last check found
 */
export async function untilHolds(
  run: Pick<Run, 'signal' | 'pass'>,
  withinMs: number | undefined,
  check: () => Promise<Found>,
): Promise<Evidence> {
  const deadline = performance.now() + (withinMs ?? 0);
  for (;;) {
    const found = await check();
    if (found.holds) return found.evidence;
    run.signal.throwIfAborted();
    if (performance.now() >= deadline)
      throw new Failure(
        withinMs === undefined ? 'expectation' : 'late',
        withinMs === undefined ? found.because : `not within ${withinMs / 1000} s: ${found.because}`,
        { exit: EXIT.failed, data: { ...found.evidence } },
      );
    await run.pass(AGAIN);
  }
}

/** Makes the context of the steps of one devnet. */
export function runOf(
  io: Io,
  given: Pick<Run, 'name' | 'seed' | 'folder' | 'signal'>,
  perform: (step: ReadStep) => Promise<StepResult>,
): Omit<Run, 'inner'> {
  const devnet = () => devnetAt(pathsOf(homeOf(io), given.name));
  return {
    ...given,
    io,
    devnet,
    plan: () => viewOf(devnet()).plan,
    pass: (ms) => sleep(ms, undefined, { signal: given.signal }),
    perform,
  };
}
