import type { Connection } from './connection.ts';
import type { TraceMark, TraceSwitch } from './trace-marks.ts';

/** The trace service of a program's channel: tells the supervisor what becomes of each block. */
export interface Traces {
  /** Whether the supervisor takes marks. Without it a program measures nothing. */
  readonly isOn: boolean;
  /** Sends a mark. Without effect while `isOn` is false. */
  mark(mark: TraceMark): void;
}

/** Unix milliseconds of this machine, with fractions. */
export const traceTime = (): number => performance.timeOrigin + performance.now();

/** The trace service of a program without a supervisor. */
export const NO_TRACES: Traces = { isOn: false, mark: () => {} };

/** The trace service: on from when the supervisor says so, to the end of the connection. */
export class SupervisedTraces implements Traces {
  readonly #connection: Connection;
  #isOn = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  mark(mark: TraceMark): void {
    if (this.#isOn) this.#connection.send(mark);
  }

  receive({ traces }: TraceSwitch): void {
    this.#isOn = traces;
  }

  lose(): void {
    this.#isOn = false;
  }
}
