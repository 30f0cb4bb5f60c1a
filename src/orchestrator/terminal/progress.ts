import { spanText } from '../../system/numbers/human.ts';
import type { Event } from '../state/events.ts';
import { eventLines } from '../status/event-line.ts';
import { fitToTerminal } from './fit.ts';
import type { Io } from './io.ts';
import { drawTasks, laterTaskList } from './task-list.ts';

/** Shows the progress of a start. */
export interface Progress {
  tell(event: Event): void;
  /** Ends the moving list. Resolves when other output can follow. */
  stop(): Promise<void>;
}

/** Prints one line per event: for logs and pipes. */
export function plainProgress(io: Io): Progress {
  let degraded = false;
  return {
    tell(event) {
      const write = (text: string) => io.stderr(fitToTerminal(io, `${text}\n`, 'stderr'));
      if (event.event === 'network') for (const text of progressLines(event)) write(text);
      const line = degraded && event.event === 'phase' && event.phase === 'ready' ? 'ready again' : lineOf(event);
      if (event.event === 'phase') degraded = event.phase === 'degraded';
      // A command to paste stays one line.
      if (line !== undefined && event.event === 'manual') io.stderr(`${line}\n`);
      else if (line !== undefined) write(line);
    },
    stop: async () => undefined,
  };
}

/** Formats an event as lines; none if people need not see it. */
export function progressLines(event: Event): readonly string[] {
  if (event.event === 'network') return eventLines(event.network);
  const line = lineOf(event);
  return line === undefined ? [] : [line];
}

const waitingFor = (tasks: readonly { readonly task: string; readonly detail: string }[]) =>
  tasks.map(({ task, detail }) => `${task} (${detail})`).join(', ');

/** Formats an event as one line; undefined if people need not see it. */
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
      return `still waiting (${spanText(event.seconds)}) for ${waitingFor(event.tasks)}`;
    case 'notice':
      return event.text;
    case 'phase':
      return event.phase === 'degraded' || event.phase === 'stopping' ? event.phase : undefined;
    default:
      return undefined;
  }
}

/** A progress that another one can take the place of when the start is over. */
export interface TerminalProgress extends Progress {
  handOver(next: Progress): void;
}

/** Shows a start as a list on a terminal. */
export function terminalProgress(io: Io, tasks: readonly string[]): TerminalProgress {
  const list = laterTaskList(drawTasks(tasks, io.runnable));
  const plain = plainProgress(io);
  let open = true;
  let after: Progress = plain;
  return {
    tell(event) {
      if (!open) return after.tell(event);
      if (event.event === 'task') {
        if (event.phase === 'ready') list.done(event.task);
        else if (event.phase === 'failed') list.failed(event.task, event.detail ?? 'failed');
        else list.detail(event.task, event.detail ?? event.phase);
      } else if (event.event === 'waiting') {
        for (const { task, detail } of event.tasks) list.detail(task, detail);
      } else plain.tell(event);
    },
    async stop() {
      if (!open) {
        const before = after;
        after = plain;
        return before.stop();
      }
      open = false;
      await list.stop();
    },
    handOver(next) {
      after = next;
    },
  };
}
