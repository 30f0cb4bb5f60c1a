import type { Event } from '../run/events.ts';
import type { Io } from './command.ts';

/** Shows the progress of a start. */
export interface Progress {
  tell(event: Event): void;
  /** Ends the moving list, so that other output can follow. */
  stop(): void;
}

/** Prints one line per event: for logs and pipes. */
export function plainProgress(io: Io): Progress {
  let degraded = false;
  return {
    tell(event) {
      const line = degraded && event.event === 'phase' && event.phase === 'ready' ? 'ready again' : lineOf(event);
      if (event.event === 'phase') degraded = event.phase === 'degraded';
      if (line !== undefined) io.stderr(`${line}\n`);
    },
    stop: () => undefined,
  };
}

const waitingFor = (tasks: readonly { readonly task: string; readonly detail: string }[]) =>
  tasks.map(({ task, detail }) => `${task} (${detail})`).join(', ');

/** Formats an event as one line; undefined where people need not see it. */
function lineOf(event: Event): string | undefined {
  switch (event.event) {
    case 'task':
      if (event.phase === 'ready') return `ready     ${event.task}`;
      if (event.phase === 'unhealthy' || event.phase === 'restarting' || event.phase === 'blocked')
        return `${event.phase.padEnd(9)} ${event.task}: ${event.detail ?? ''}`;
      return undefined;
    case 'manual':
      return `start it yourself: ${event.task}\n  ${event.command}`;
    case 'waiting':
      return `still waiting (${event.seconds} s) for ${waitingFor(event.tasks)}`;
    case 'notice':
      return event.text;
    case 'phase':
      return event.phase === 'degraded' || event.phase === 'stopping' ? event.phase : undefined;
    default:
      return undefined;
  }
}

/** Buffers events until the progress display is loaded. The network does not wait for it. */
export function laterProgress(loading: Promise<Progress>): Progress {
  let loaded: Progress | undefined;
  let stopped = false;
  const early: Event[] = [];
  void loading.then((progress) => {
    loaded = progress;
    for (const event of early) progress.tell(event);
    if (stopped) progress.stop();
  });
  return {
    tell: (event) => (loaded ? loaded.tell(event) : void early.push(event)),
    stop() {
      stopped = true;
      loaded?.stop();
    },
  };
}

/** Draws a list of tasks in place on a terminal. */
export async function terminalProgress(io: Io, tasks: readonly string[]): Promise<Progress> {
  const { Listr } = await import('listr2');
  const waits = new Map(tasks.map((id) => [id, Promise.withResolvers<void>()]));
  for (const wait of waits.values()) wait.promise.catch(() => undefined);
  const titles = new Map<string, (text: string) => void>();
  const list = new Listr(
    tasks.map((id) => ({
      title: id,
      task: (_: unknown, task: { output: string }) => {
        titles.set(id, (text) => {
          task.output = text;
        });
        return waits.get(id)?.promise;
      },
    })),
    {
      concurrent: true,
      exitOnError: false,
      registerSignalListeners: false,
      rendererOptions: { collapseErrors: false },
    },
  );
  const drawn = list.run().catch(() => undefined);
  const plain = plainProgress(io);
  let open = true;
  return {
    tell(event) {
      if (!open) return plain.tell(event);
      if (event.event === 'task') {
        if (event.phase === 'ready') waits.get(event.task)?.resolve();
        else if (event.phase === 'failed') waits.get(event.task)?.reject(new Error(event.detail ?? 'failed'));
        else titles.get(event.task)?.(event.detail ?? event.phase);
      } else if (event.event === 'waiting') {
        for (const { task, detail } of event.tasks) titles.get(task)?.(detail);
      } else plain.tell(event);
    },
    stop() {
      if (!open) return;
      open = false;
      for (const wait of waits.values()) wait.resolve();
      void drawn;
    },
  };
}
