import { Failure, messageOf } from '../../system/failure.ts';
import { lastLines, sizeOf } from '../../system/files/lines.ts';
import { signalGroup } from '../../system/process/group.ts';
import { type Exit, startProcess } from '../../system/process/process.ts';
import type { GuardClient } from '../guard/client.ts';
import type { Command } from '../plan/plan.ts';
import type { Emit } from '../state/events.ts';
import type { FailureReport } from '../state/failure-report.ts';
import { OutOfTime, untilAborted } from './launch.ts';
import { how } from './report.ts';

/** A command of the spec's `after`. */
export interface AfterCommand extends Command {
  /** As it is written in the spec. */
  readonly name: string;
}

interface AfterIo {
  /** The file that all commands append their output to. */
  readonly log: string;
  /** Environment that marks a process as part of the devnet, so that its end finds what a command leaves running. */
  readonly stamp: Readonly<Record<string, string>>;
  /** See `markOf`. */
  readonly mark: number;
  readonly guard: Pick<GuardClient, 'group' | 'removeGroup'>;
  readonly emit: Emit;
  /** Kills the command under way. */
  readonly signal: AbortSignal;
}

/** Lines of the output in the report of a failure. */
const MAX_OUTPUT_LINES = 20;

/** Runs commands one after another. Returns the report of the first that fails; undefined also after an abort. */
export async function runAfter(commands: readonly AfterCommand[], io: AfterIo): Promise<FailureReport | undefined> {
  for (const command of commands) {
    io.emit({ event: 'notice', text: `after: ${command.name}` });
    const start = sizeOf(io.log);
    const failed = await runOne(command, io);
    if (failed !== undefined) return { ...failed, lastLines: lastLines(io.log, MAX_OUTPUT_LINES, start), log: io.log };
    if (io.signal.aborted) return undefined;
  }
  return undefined;
}

async function runOne(command: AfterCommand, io: AfterIo): Promise<FailureReport | undefined> {
  const about = { task: 'after', client: command.name, lastLines: [], takenPorts: [] };
  try {
    const child = await startProcess({ ...command, env: { ...command.env, ...io.stamp }, log: io.log, mark: io.mark });
    io.guard.group(child.group);
    const exit = await Promise.race([child.exited, untilAborted(io.signal)]);
    if (exit === undefined) signalGroup(child.group, 'SIGKILL');
    await child.exited;
    io.guard.removeGroup(child.group.id);
    return reportOf(about, exit, io.signal);
  } catch (error) {
    const hint = error instanceof Failure ? error.hint : undefined;
    return { ...about, reason: 'spawn', what: messageOf(error), ...(hint && { hint }), exit: 4 };
  }
}

function reportOf(
  about: Pick<FailureReport, 'task' | 'client' | 'lastLines' | 'takenPorts'>,
  exit: Exit | undefined,
  signal: AbortSignal,
): FailureReport | undefined {
  if (exit !== undefined)
    return exit.code === 0 ? undefined : { ...about, reason: 'exited', what: `it ${how(exit)}`, exit: 1 };
  if (!(signal.reason instanceof OutOfTime)) return undefined;
  const what = `it did not end within ${signal.reason.seconds} s of the start`;
  return { ...about, reason: 'late', what, hint: 'give it more time with `--ready-budget 5m`', exit: 3 };
}
