import { spanText } from '../../system/numbers/human.ts';
import { terminalText } from '../../system/program/terminal-text.ts';
import type { Io } from './io.ts';

/** Rows of a terminal that does not tell its size. */
const DEFAULT_ROWS = 24;

/** Shows which tasks of a long command still run. */
export interface TaskList {
  /** Shows what a task does now. */
  detail(id: string, text: string): void;
  done(id: string): void;
  failed(id: string, reason: string): void;
  /** Ends the list; tasks that still run stay without a result. Resolves when the list is drawn. */
  stop(): Promise<void>;
}

/** Time (ms) before the first line about tasks that still run, and the longest time between two. */
const FIRST_REPORT_MS = 5000;
const MAX_REPORT_INTERVAL_MS = 60_000;

/**
 * Runs some work and shows its tasks. On a terminal they are a list. Elsewhere a line names them after 5 s, 10 s, 20 s,
 * 40 s, and then each minute.
 */
export async function showTasks<T>(
  io: Io,
  verb: string,
  ids: readonly string[],
  work: (list: TaskList) => Promise<T>,
): Promise<T> {
  const list = io.isTty ? laterTaskList(drawTasks(ids, io.runnable)) : lineTaskList(io, verb, ids);
  try {
    return await work(list);
  } finally {
    await list.stop();
  }
}

/** Prints the tasks that still run from time to time: for logs and pipes. */
function lineTaskList(io: Io, verb: string, ids: readonly string[]): TaskList {
  const running = new Map(ids.map((id) => [id, '']));
  const began = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      const elapsed = performance.now() - began;
      const tasks = [...running].map(([id, detail]) => (detail === '' ? id : `${id} (${detail})`));
      if (tasks.length > 0) io.stderr(`still ${verb} (${spanText(elapsed / 1000)}): ${tasks.join(', ')}\n`);
      wait(Math.min(elapsed, MAX_REPORT_INTERVAL_MS));
    }, ms);
  };
  wait(FIRST_REPORT_MS);
  return {
    detail: (id, text) => void (running.has(id) && running.set(id, text)),
    done: (id) => void running.delete(id),
    failed: (id) => void running.delete(id),
    stop: async () => clearTimeout(timer),
  };
}

/** Buffers calls until the list is loaded. The work does not wait for it. */
export function laterTaskList(loading: Promise<TaskList>): TaskList {
  let loaded: TaskList | undefined;
  let stopped = false;
  const early: ((list: TaskList) => void)[] = [];
  const ready = loading.then(async (list) => {
    loaded = list;
    for (const call of early) call(list);
    if (stopped) await list.stop();
  });
  const pass = (call: (list: TaskList) => void) => (loaded ? call(loaded) : void early.push(call));
  return {
    detail: (id, text) => pass((list) => list.detail(id, text)),
    done: (id) => pass((list) => list.done(id)),
    failed: (id, reason) => pass((list) => list.failed(id, reason)),
    stop() {
      stopped = true;
      return loaded ? loaded.stop() : ready;
    },
  };
}

/** Columns of the mark before a task, and of the last two, which stay empty. */
const MARK_COLUMNS = 4;

/** Formats a task and what it does as one line of a terminal. */
export function taskLine(id: string, detail: string, columns = 80): string {
  const text = `${id}  ${detail.replaceAll(/\s+/g, ' ')}`.trim();
  const most = Math.max(id.length, columns - MARK_COLUMNS);
  return text.length <= most ? text : `${text.slice(0, Math.max(id.length, most - 1))}…`;
}

/**
 * Draws a list of tasks in place on the terminal of stderr: stdout belongs to the answer. More tasks than the terminal
 * has rows are one line. `runnable` makes the commands in a text those of this installation.
 */
export function drawTasks(ids: readonly string[], runnable = (text: string) => text): Promise<TaskList> {
  return ids.length < (process.stderr.rows ?? DEFAULT_ROWS) ? drawLines(ids, runnable) : drawSum(ids, runnable);
}

/** Draws many tasks as one line: how many have ended, and the first of those that still run. */
async function drawSum(ids: readonly string[], runnable: (text: string) => string): Promise<TaskList> {
  const title = `all ${ids.length}`;
  const running = new Map(ids.map((id) => [id, '']));
  const failures: string[] = [];
  const list = await drawLines([title], runnable);
  const tell = () => {
    const [first] = running;
    if (first === undefined) return failures.length === 0 ? list.done(title) : list.failed(title, failures.join('; '));
    const [id, detail] = first;
    list.detail(title, `${ids.length - running.size} done, now ${id}${detail === '' ? '' : `: ${detail}`}`);
  };
  const end = (id: string) => {
    running.delete(id);
    tell();
  };
  return {
    detail(id, text) {
      if (!running.has(id)) return;
      running.set(id, text);
      tell();
    },
    done: end,
    failed(id, reason) {
      failures.push(`${id}: ${reason}`);
      end(id);
    },
    stop() {
      if (failures.length > 0) list.failed(title, failures.join('; '));
      return list.stop();
    },
  };
}

/** Draws each task as a line. */
async function drawLines(ids: readonly string[], runnable: (text: string) => string): Promise<TaskList> {
  const { DefaultRenderer, Listr, ListrLogger, ProcessOutput } = await import('listr2');
  class StderrRenderer extends DefaultRenderer {
    static override nonTTY = true;
  }
  const ends = new Map(ids.map((id) => [id, Promise.withResolvers<'done' | 'running'>()]));
  for (const end of ends.values()) end.promise.catch(() => undefined);
  const early = new Map<string, string>();
  const details = new Map<string, (text: string) => void>();
  const list = new Listr(
    ids.map((id) => ({
      title: id,
      task: async (_: unknown, task) => {
        // An output of the task would take a second line.
        const tell = (text: string) => {
          task.title = taskLine(id, terminalText(runnable(text)), process.stderr.columns);
        };
        details.set(id, tell);
        tell(early.get(id) ?? '');
        try {
          if ((await ends.get(id)?.promise) === 'running') task.skip();
        } finally {
          task.title = id;
        }
      },
    })),
    {
      concurrent: true,
      exitOnError: false,
      registerSignalListeners: false,
      renderer: StderrRenderer,
      rendererOptions: {
        collapseErrors: false,
        logger: new ListrLogger({
          useIcons: true,
          toStderr: [],
          processOutput: new ProcessOutput(process.stderr, process.stderr),
        }),
      },
    },
  );
  const drawing = list.run().then(
    () => undefined,
    () => undefined,
  );
  return {
    detail(id, text) {
      early.set(id, text);
      details.get(id)?.(text);
    },
    done: (id) => ends.get(id)?.resolve('done'),
    failed: (id, reason) => ends.get(id)?.reject(new Error(terminalText(runnable(reason)))),
    stop() {
      for (const end of ends.values()) end.resolve('running');
      return drawing;
    },
  };
}
