import { jsonOf } from '../../rpc/json-object.ts';
import { modifiedAt, readText, rename, replaceFile } from '../../system/files/folder.ts';
import { isPid, isTime } from '../../system/numbers/bounds.ts';
import type { ProcessIdentity } from '../../system/process/identity.ts';
import { type ClockState, isClockState } from '../../system/time/clock.ts';
import type { FailureReport } from './failure-report.ts';
import type { FaultDocument } from './faults.ts';
import type { Problem } from './problem.ts';

export type Phase = 'starting' | 'ready' | 'degraded' | 'stopping' | 'stopped' | 'failed';

export type TaskPhase =
  | 'waiting'
  | 'preparing'
  | 'starting'
  | 'manual'
  | 'ready'
  | 'unhealthy'
  | 'restarting'
  | 'blocked'
  | 'stopping'
  | 'stopped'
  | 'paused'
  | 'failed';

export interface TaskState {
  readonly phase: TaskPhase;
  readonly process?: ProcessIdentity;
  /** Name of its container. */
  readonly container?: string;
  readonly restarts: number;
  /** What the task waits for, or why it is not healthy. */
  readonly detail?: string;
  /** Reported by its binary. */
  readonly version?: string;
}

/** Moments in Unix milliseconds, each set once per start. */
export interface Stamps {
  readonly parsed?: number;
  readonly spawned?: number;
  readonly answering?: number;
  readonly agreed?: number;
  readonly safe?: number;
}

/** The state file of a devnet. With the plan it suffices to end all processes of a dead supervisor. */
export interface State {
  readonly schema: typeof STATE_SCHEMA;
  readonly name: string;
  readonly phase: Phase;
  readonly supervisor: ProcessIdentity;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly stamps: Stamps;
  readonly tasks: Readonly<Record<string, TaskState>>;
  /** Descendants in groups of their own, which may have no stamp. */
  readonly orphans: readonly ProcessIdentity[];
  /** The network's clock. */
  readonly clock: ClockState;
  /** Milliseconds by which the clocks of single tasks are ahead of it. Absent: of none. */
  readonly skews?: Readonly<Record<string, number>>;
  /** Unix milliseconds of the wall clock when a stopped network was stopped. */
  readonly pausedAt?: number;
  /** Unix milliseconds at which it ends by itself. */
  readonly endsAt?: number;
  readonly failure?: FailureReport;
  /** How the dashboard of the spec ended by itself. Absent: it did not. */
  readonly dashboardEnd?: string;
  /** Why traces of blocks are not sent. It does not degrade the network. Absent: they are, or nowhere is set. */
  readonly traces?: Problem;
  /** Current problems. With any, the phase is `degraded`. */
  readonly problems: readonly Problem[];
  /** Faults that stand. Absent: none. */
  readonly faults?: FaultDocument;
  /** Reports of divergences since the start, the newest of each minority. */
  readonly reports?: readonly DivergenceReport[];
}

/** The report of a divergence in the devnet's folder. */
export interface DivergenceReport {
  /** When it was written, Unix milliseconds. Absent if an older version wrote it. */
  readonly at?: number;
  /** When the nodes agreed again, Unix milliseconds. Absent while they diverge. */
  readonly over?: number;
  readonly chain: string;
  readonly block: number;
  readonly nodes: string[];
  readonly path: string;
  /** Its first lines. */
  readonly lines: string[];
}

/** Raised with every change that an older version would misread. */
export const STATE_SCHEMA = 2;

export type StateFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'state'; readonly state: State }
  /** Truncated or unknown. Moved aside, so that nothing is guessed from it. */
  | { readonly kind: 'corrupt'; readonly movedTo: string }
  /** Written by another version of this program. */
  | { readonly kind: 'version'; readonly schema: unknown };

/** Reads a state file; a corrupted one is moved to `.corrupt-<time>`. */
export function readState(path: string): StateFile {
  const text = readText(path);
  if (text === undefined) return { kind: 'none' };
  const value = jsonOf(text);
  if (isRecord(value) && 'schema' in value && value['schema'] !== STATE_SCHEMA)
    return { kind: 'version', schema: value['schema'] };
  if (isState(value)) return { kind: 'state', state: { ...value, problems: value.problems ?? [] } };
  const movedTo = `${path}.corrupt-${Math.round(modifiedAt(path) ?? 0)}`;
  rename(path, movedTo);
  return { kind: 'corrupt', movedTo };
}

/** Replaces the state file in one step. */
export function writeState(path: string, state: State): void {
  replaceFile(path, JSON.stringify(state));
}

const PHASES: readonly string[] = ['starting', 'ready', 'degraded', 'stopping', 'stopped', 'failed'] satisfies Phase[];

function isState(value: unknown): value is State {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    PHASES.includes(String(value['phase'])) &&
    isIdentity(value['supervisor']) &&
    isTime(value['startedAt']) &&
    isClockState(value['clock']) &&
    isRecord(value['stamps']) &&
    isRecord(value['tasks']) &&
    Object.values(value['tasks']).every(isTask) &&
    Array.isArray(value['orphans']) &&
    value['orphans'].every(isIdentity)
  );
}

function isTask(value: unknown): boolean {
  if (!isRecord(value) || typeof value['phase'] !== 'string') return false;
  return value['process'] === undefined || isIdentity(value['process']);
}

/** Returns whether a value read from a file identifies a process. */
export function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    isRecord(value) && isPid(value['pid']) && typeof value['started'] === 'string' && typeof value['boot'] === 'string'
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
