import { dirname } from 'node:path';
import { EXIT, Failure, messageOf, SYSTEM_HINTS, systemCode } from '../../system/failure.ts';
import { freeBytes } from '../../system/files/folder.ts';
import { lastLines } from '../../system/files/lines.ts';
import { portHolder } from '../../system/net/ports.ts';
import type { Exit } from '../../system/process/process.ts';
import { sourceStack } from '../../system/program/source-stack.ts';
import type { Command } from '../plan/plan.ts';
import { pasteable, redactSecrets } from '../plan/print/pasteable.ts';
import type { FailureReport } from '../state/failure-report.ts';
import { likelyCause } from './causes.ts';
import type { LiveTask } from './live-task.ts';

/** Thrown if a task cannot become ready. */
export class TaskFailure extends Error {
  readonly report: FailureReport;

  constructor(report: FailureReport) {
    super(`${report.task}: ${report.what}`);
    this.name = 'TaskFailure';
    this.report = report;
  }
}

/** Reports a process that ended and should run. */
export function exitedReport(live: LiveTask, exit: Exit, when: string): FailureReport {
  return processReport(live, live.command, 'exited', `${how(exit)} ${when}`, exit);
}

/** Reports a prepare step that failed. */
export function prepareReport(live: LiveTask, command: Command, exit: Exit): FailureReport {
  return processReport(live, command, 'prepare', `its prepare step ${how(exit)}`, exit);
}

/** Reports a process that is not ready in time. */
export function notReadyReport(live: LiveTask, { message }: Error): FailureReport {
  const waiting = live.detail === undefined ? '' : `; ${live.detail}`;
  return { ...processReport(live, live.command, 'not-ready', `${message}${waiting}`), exit: 3 };
}

/** Reports another process on the task's port. */
export function strangerReport(live: LiveTask, port: number, holder: string, detail: string): FailureReport {
  return {
    ...processReport(
      live,
      live.command,
      'stranger',
      `a stranger answers on its port ${port}: ${detail}; the port is held by ${holder}`,
    ),
    cause: `port ${port} was taken by ${holder}`,
    hint: 'end that process, or give the node another port',
    takenPorts: [port],
    exit: 4,
  };
}

/** Reports a process that could not be started. */
export function spawnReport(live: LiveTask, command: Command, error: unknown): FailureReport {
  const failure = error instanceof Failure ? error : undefined;
  return {
    task: live.task.id,
    client: live.task.client,
    reason: 'spawn',
    what: redactSecrets(failure?.message ?? messageOf(error), live.task.secrets),
    ...hintOf(failure?.hint ?? SYSTEM_HINTS[systemCode(error) ?? '']),
    command: pasteable(command, live.task.secrets),
    lastLines: [],
    takenPorts: portsIn(failure?.data['ports']),
    exit: failure?.exit === 4 ? 4 : 1,
  };
}

function portsIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((port) => typeof port === 'number') : [];
}

/** Hint for a process that this program does not start. */
const EXTERNAL_HINT =
  'it is external: start it yourself, as a part of this very chain, or correct its addresses in the spec';

function processReport(
  live: LiveTask,
  command: Command,
  reason: FailureReport['reason'],
  what: string,
  exit?: Exit,
): FailureReport {
  const { task } = live;
  const lines = lastLines(task.log, 20, live.logStart).map((line) => redactSecrets(line, task.secrets));
  const likely =
    fullDisk(dirname(task.log)) ??
    likelyCause(
      lines,
      exit,
      task.chain === undefined || task.node === undefined ? undefined : `${task.chain}/${task.node}`,
    );
  const conflicts = exit === undefined ? [] : takenPorts(live);
  return {
    task: task.id,
    client: task.client,
    ...(live.version ? { version: live.version } : {}),
    reason,
    what,
    ...(task.launch === 'external' ? { hint: EXTERNAL_HINT } : { command: pasteable(command, task.secrets) }),
    lastLines: lines,
    ...(task.launch === 'external' ? {} : { log: task.log }),
    ...(conflicts.length > 0
      ? {
          cause: conflicts
            .map(({ port, pid, command: other }) => `port ${port} is held by process ${pid} (${other})`)
            .join('; '),
          hint: 'end that process, or give the node another port',
        }
      : likely),
    takenPorts: conflicts.length > 0 ? conflicts.map(({ port }) => port) : portsInUse(live, lines),
    exit: conflicts.length > 0 ? 4 : 1,
  };
}

/** Returns the ports of a task that its log calls in use: their holder may have ended since. */
function portsInUse({ task }: LiveTask, lines: readonly string[]): number[] {
  const refusals = lines.filter((line) => /EADDRINUSE|address already in use/i.test(line)).join(' ');
  return task.ports.map(({ port }) => port).filter((port) => new RegExp(`\\b${port}\\b`).test(refusals));
}

/** Free bytes below which a process cannot write its log and the smallest database file. */
const FULL_BELOW = 64 * 1024;

/** Returns the cause of a failure on a full disk, if the process itself could log nothing. */
function fullDisk(folder: string): { readonly cause: string; readonly hint?: string } | undefined {
  const free = freeBytes(folder);
  if (free === undefined || free >= FULL_BELOW) return undefined;
  return {
    cause: `the disk is full: ${Math.floor(free / 1024)} kB are free for ${folder}`,
    ...hintOf(SYSTEM_HINTS['ENOSPC']),
  };
}

function hintOf(hint: string | undefined): { readonly hint?: string } {
  return hint === undefined ? {} : { hint };
}

/** Returns the ports of an ended task that another process holds now. */
function takenPorts(live: LiveTask): { port: number; pid: number; command: string }[] {
  return live.task.ports.flatMap(({ port, transport }) => {
    const holder = transport === 'tcp' ? portHolder(port) : undefined;
    if (holder === undefined || live.running?.owns(holder) === true) return [];
    return [{ port, ...holder }];
  });
}

/** Says how a process ended. */
export function how(exit: Exit): string {
  return exit.signal === null ? `ended with code ${exit.code}` : `was ended by ${exit.signal}`;
}

/** Returns the report of a fault of this program or the system. */
export function faultReport(error: unknown): FailureReport {
  const hint = (error instanceof Failure ? error.hint : undefined) ?? SYSTEM_HINTS[systemCode(error) ?? ''];
  const ports = error instanceof Failure ? portsIn(error.data['ports']) : [];
  return {
    task: 'supervisor',
    client: 'devnet',
    reason: 'files',
    what: messageOf(error),
    // An error with a code explains itself. Any other is a fault of this program, with its position.
    lastLines:
      error instanceof Error && error.stack && !('code' in error) ? sourceStack(error).split('\n').slice(1, 4) : [],
    ...(hint === undefined ? {} : { hint }),
    takenPorts: ports,
    exit: ports.length > 0 ? EXIT.lacking : EXIT.failed,
  };
}
