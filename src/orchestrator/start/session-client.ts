import { readMessages } from '../../system/net/socket.ts';
import type { PipedProcess } from '../../system/process/piped.ts';
import { readToLast } from '../../system/program/starter-pipes.ts';
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

export interface AttachOptions {
  readonly tell: (event: Event) => void;
  /** Called at each interruption: the first asks for a teardown, the second kills, the third leaves. */
  readonly interrupted: (times: number, signal: string) => void;
  /** Whether the end of standard input tears the network down too. */
  readonly followInput: boolean;
  /** Whether SIGINT, SIGTERM and SIGHUP of this process tear it down. A library leaves signals to its program. */
  readonly followSignals: boolean;
}

/** The events of a supervisor that has an order. Interrupts are passed on until it is released. */
export class Session {
  readonly #supervisor: PipedProcess;
  readonly #options: AttachOptions;
  readonly #started = Promise.withResolvers<Attached>();
  readonly #ended = Promise.withResolvers<Attached>();
  readonly #unfollow: (() => void)[] = [];
  /** The events that say how the supervisor ended. */
  #failure: FailureReport | undefined;
  #end: Extract<Event, { event: 'end' }> | undefined;
  #taken: Extract<Event, { event: 'taken' }> | undefined;
  /** Exit code of the signal that interrupted this process, and the number of interruptions. */
  #code: 130 | 143 | undefined;
  #interruptions = 0;
  /** Whether the supervisor was asked to tear the network down. */
  #isEnding = false;

  /** Begins to follow a supervisor, which is sent its order next. */
  constructor(supervisor: PipedProcess, options: AttachOptions) {
    this.#supervisor = supervisor;
    this.#options = options;
    this.#followInterrupts();
    readMessages<Event>(
      supervisor.output,
      (event) => this.#onEvent(event),
      () => undefined,
    );
    void supervisor.exited.then(async (exit) => {
      await readToLast(supervisor.output);
      this.#settle(this.#endOf(exit));
    });
  }

  /** Resolves when the network is ready, or when the supervisor of a failed or interrupted start is gone. */
  get started(): Promise<Attached> {
    return this.#started.promise;
  }

  /** Resolves when the supervisor is gone. */
  get ended(): Promise<Attached> {
    return this.#ended.promise;
  }

  /** Returns the exit code of the signal that interrupted this process, if any. */
  interrupted(): 130 | 143 | undefined {
    return this.#code;
  }

  /** Detaches from the supervisor, which runs on. */
  detach(): void {
    this.#unfollowInterrupts();
    this.#send({ kind: 'detach' });
    this.#supervisor.endInput();
    this.#supervisor.unref();
  }

  /** Lets this process end while the supervisor is attached. Its end tears the network down. */
  unref(): void {
    this.#supervisor.unref();
  }

  /** Sends the text of a large file. */
  text(path: string, text: string | undefined): void {
    this.#send({ kind: 'text', path, ...(text === undefined ? {} : { text }) });
  }

  /** Tears the network down. */
  interrupt(): void {
    this.#supervisor.ref();
    this.#isEnding = true;
    this.#send({ kind: 'interrupt' });
  }

  #send(message: Order): void {
    this.#supervisor.send(message);
  }

  #followInterrupts(): void {
    if (this.#options.followSignals)
      this.#unfollow.push(
        onInterrupt((signal) => {
          this.#code ??= signal === 'SIGTERM' ? 143 : 130;
          this.#onInterrupt(signal);
        }),
      );
    if (this.#options.followInput)
      this.#unfollow.push(
        onInputEnd(() => {
          this.#code ??= 130;
          this.#onInterrupt('the end of the input');
        }),
      );
  }

  #unfollowInterrupts(): void {
    for (const undo of this.#unfollow) undo();
  }

  /** Asks for a teardown, then kills, then leaves. */
  #onInterrupt(signal: string): void {
    this.#interruptions += 1;
    this.#isEnding = true;
    this.#options.interrupted(this.#interruptions, signal);
    if (this.#interruptions === 1) this.#send({ kind: 'interrupt' });
    else if (this.#interruptions === 2) this.#send({ kind: 'kill' });
    else {
      this.#supervisor.kill();
      this.#settle({ kind: 'abandoned', code: this.#code ?? 130 });
    }
  }

  #onEvent(event: Event): void {
    if (event.event === 'failure') this.#failure = event.failure;
    if (event.event === 'end') this.#end = event;
    if (event.event === 'taken') this.#taken = event;
    this.#options.tell(event);
    // Degraded: all tasks were ready, but one with `onExit: ignore` has ended since.
    // What becomes ready while it is torn down has not started.
    if (!this.#isEnding && event.event === 'phase' && (event.phase === 'ready' || event.phase === 'degraded'))
      this.#started.resolve({ kind: 'ready' });
  }

  /** Returns how the supervisor ended, by its events and its exit code. */
  #endOf(exit: number | null): Attached {
    if (this.#taken) return { kind: 'taken', pid: this.#taken.pid, since: this.#taken.since };
    return {
      kind: 'ended',
      code: this.#code ?? this.#end?.code ?? exit ?? 1,
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      ...(this.#end === undefined ? {} : { end: this.#end }),
    };
  }

  #settle(result: Attached): void {
    this.#unfollowInterrupts();
    this.#started.resolve(result);
    this.#ended.resolve(result);
  }
}
