import { readMessages } from '../../system/net/socket.ts';
import { readToLast } from '../../system/process/message-pipe.ts';
import type { PipedProcess } from '../../system/process/piped.ts';
import { onInputEnd, onInterrupt } from '../../system/program/terminal.ts';
import type { Order } from '../control/supervisor-protocol.ts';
import type { Event } from '../state/events.ts';
import type { FailureReport } from '../state/failure-report.ts';

/** Result of an order to a supervisor. */
export type Attached =
  | { readonly kind: 'ready' }
  /** It ended, with every process that it had started. */
  | {
      readonly kind: 'ended';
      readonly code: number;
      readonly failure?: FailureReport;
      readonly end?: Extract<Event, { event: 'end' }>;
    }
  | { readonly kind: 'taken'; readonly pid: number; readonly since: number }
  /** Interrupted three times: its guard ends the remaining processes. */
  | { readonly kind: 'abandoned'; readonly code: 130 | 143 };

export interface Session {
  /** Resolves when the network is ready or has failed. */
  readonly started: Promise<Attached>;
  /** Resolves when the supervisor is gone. */
  readonly ended: Promise<Attached>;
  /** Returns the exit code of the signal that interrupted this process, if any. */
  interrupted(): 130 | 143 | undefined;
  /** Detaches from the supervisor, which runs on. */
  detach(): void;
  /** Lets this process end while the supervisor is attached. Its end tears the network down. */
  unref(): void;
  /** Sends the text of a large file. */
  text(path: string, text: string | undefined): void;
  /** Tears the network down. */
  interrupt(): void;
}

export interface AttachOptions {
  readonly tell: (event: Event) => void;
  /** Called at each interruption: the first asks for a teardown, the second kills, the third leaves. */
  readonly interrupted: (times: number, signal: string) => void;
  /** Whether the end of standard input tears the network down too. */
  readonly followInput: boolean;
  /** Whether SIGINT, SIGTERM and SIGHUP of this process tear it down. A library leaves signals to its program. */
  readonly followSignals: boolean;
}

/** Sends a supervisor its order and follows its events. Interrupts are passed on until it is released. */
export function attach(supervisor: PipedProcess, order: Order, options: AttachOptions): Session {
  const started = Promise.withResolvers<Attached>();
  const ended = Promise.withResolvers<Attached>();
  let failure: FailureReport | undefined;
  let end: Extract<Event, { event: 'end' }> | undefined;
  let taken: Extract<Event, { event: 'taken' }> | undefined;
  let code: 130 | 143 | undefined;
  let times = 0;

  const send = (message: Order) => supervisor.send(message);
  const interrupt = (signal: string) => {
    times += 1;
    options.interrupted(times, signal);
    if (times === 1) send({ kind: 'interrupt' });
    else if (times === 2) send({ kind: 'kill' });
    else {
      supervisor.kill();
      settle({ kind: 'abandoned', code: code ?? 130 });
    }
  };
  const unfollow = [
    options.followSignals
      ? onInterrupt((signal) => {
          code ??= signal === 'SIGTERM' ? 143 : 130;
          interrupt(signal);
        })
      : () => undefined,
    options.followInput
      ? onInputEnd(() => {
          code ??= 130;
          interrupt('the end of the input');
        })
      : () => undefined,
  ];

  function settle(attached: Attached): void {
    for (const undo of unfollow) undo();
    started.resolve(attached);
    ended.resolve(attached);
  }

  readMessages<Event>(
    supervisor.output,
    (event) => {
      if (event.event === 'failure') failure = event.failure;
      if (event.event === 'end') end = event;
      if (event.event === 'taken') taken = event;
      options.tell(event);
      // Degraded: all tasks were ready, but one with `onExit: ignore` has ended since.
      if (event.event === 'phase' && (event.phase === 'ready' || event.phase === 'degraded'))
        started.resolve({ kind: 'ready' });
    },
    () => undefined,
  );
  void supervisor.exited.then(async (exit) => {
    await readToLast(supervisor.output);
    if (taken) return settle({ kind: 'taken', pid: taken.pid, since: taken.since });
    settle({
      kind: 'ended',
      code: code ?? end?.code ?? exit ?? 1,
      ...(failure === undefined ? {} : { failure }),
      ...(end === undefined ? {} : { end }),
    });
  });
  send(order);

  return {
    started: started.promise,
    ended: ended.promise,
    interrupted: () => code,
    detach() {
      for (const undo of unfollow) undo();
      send({ kind: 'detach' });
      supervisor.endInput();
      supervisor.unref();
    },
    unref: () => supervisor.unref(),
    text: (path, text) => send({ kind: 'text', path, ...(text === undefined ? {} : { text }) }),
    interrupt() {
      supervisor.ref();
      send({ kind: 'interrupt' });
    },
  };
}
