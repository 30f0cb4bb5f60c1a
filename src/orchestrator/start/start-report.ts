import { resolve } from 'node:path';
import { replaceFile } from '../../system/files/folder.ts';
import type { Event } from '../state/events.ts';
import type { FailureReport } from '../state/failure-report.ts';
import type { Stamps } from '../state/state.ts';
import type { Io } from '../terminal/io.ts';
import type { ReadyBudget } from './ready-budget.ts';

/** The names of the stamps, in the order in which they come. */
const STAMPS = ['parsed', 'spawned', 'answering', 'agreed', 'safe'] as const satisfies readonly (keyof Stamps)[];

interface Times {
  phase: string;
  spawned?: number;
  ready?: number;
}

/** Gathers the times of a start from its events, for `up --report`. */
export interface StartReport {
  tell(event: Event): void;
  /** Writes the report as JSON. @throws Failure `write` */
  write(io: Pick<Io, 'cwd'>, path: string, outcome: Outcome): void;
}

interface Outcome extends ReadyBudget {
  readonly name: string;
  readonly ready: boolean;
  readonly failure: FailureReport | undefined;
}

/** Begins the report of a start. `began`: Unix ms of the command's beginning, from which all times count. */
export function startReport(began: number): StartReport {
  const tasks = new Map<string, Times>();
  let stamps: Stamps = {};
  const seconds = (at: number | undefined) => (at === undefined ? null : (at - began) / 1000);
  return {
    tell(event) {
      if (event.event === 'phase') stamps = event.stamps;
      if (event.event !== 'task') return;
      const times = tasks.get(event.task) ?? { phase: event.phase };
      tasks.set(event.task, times);
      times.phase = event.phase;
      if (event.pid !== undefined) times.spawned ??= event.at;
      if (event.phase === 'ready') times.ready ??= event.at;
    },
    write({ cwd }, path, { name, ready, budgetMs, stampBudgets, failure }) {
      const processes = [...tasks].map(([task, { phase, spawned, ready }]) => ({
        ...{ task, phase, spawned: seconds(spawned), ready: seconds(ready) },
      }));
      // What starts after the nodes agree, as the proposer, delayed nothing.
      const end = seconds(stamps.agreed) ?? Number.MAX_VALUE;
      const slowness = (each: (typeof processes)[number]) => {
        const at = each.ready ?? Number.MAX_VALUE;
        return ready && at > end ? -1 : at;
      };
      processes.sort((one, other) => slowness(other) - slowness(one));
      const inSeconds = Object.entries(stampBudgets).map(([stamp, ms]) => [stamp, ms / 1000]);
      const document = {
        ...{ name, ready, began: new Date(began).toISOString() },
        seconds: Object.fromEntries(STAMPS.map((stamp) => [stamp, seconds(stamps[stamp])])),
        budgets: { ready: budgetMs / 1000, ...Object.fromEntries(inSeconds) },
        slowest: failure?.task ?? processes[0]?.task ?? null,
        ...{ processes, failure: failure ?? null },
      };
      replaceFile(resolve(cwd, path), `${JSON.stringify(document, null, 2)}\n`);
    },
  };
}
