import type { Total } from './tally.ts';

/** Time (ms) between lines of progress: on a terminal, which shows one, and elsewhere. */
const TERMINAL_MS = 1000;
const LINES_MS = 5000;

const number = (value: number): string => value.toLocaleString('en');

/** Returns `N passed, N failed, N not applicable`. */
export const textOf = ({ passed, failed, notApplicable }: Total): string =>
  `${number(passed)} passed, ${number(failed)} failed, ${number(notApplicable)} not applicable`;

/** What a run has done so far. */
export interface RunState {
  readonly files: number;
  readonly done: number;
  readonly total: Total;
  /** Start (ms) of each file that runs now, by path. */
  readonly running: ReadonlyMap<string, number>;
}

/** Returns a line of progress. It names the file that has run for longest. */
export function progressLine({ files, done, total, running }: RunState, now: number): string {
  const counts = `${number(done)} of ${number(files)} files, ${textOf(total)}`;
  const [first] = [...running].sort(([, left], [, right]) => left - right);
  if (first === undefined) return counts;
  const others = running.size > 1 ? ` and ${running.size - 1} more` : '';
  return `${counts}; runs ${first[0]} (${Math.floor((now - first[1]) / 1000)} s)${others}`;
}

/** Prints progress while a run lasts. Other lines of the run are printed through it. */
export class Progress {
  readonly #stateOf: () => RunState;
  readonly #timer: NodeJS.Timeout;

  constructor(stateOf: () => RunState) {
    this.#stateOf = stateOf;
    this.#timer = setInterval(() => this.#show(), process.stdout.isTTY ? TERMINAL_MS : LINES_MS);
  }

  /** Prints a line that stays. */
  print(line: string): void {
    console.log(process.stdout.isTTY ? `\r\x1b[K${line}` : line);
  }

  /** Stops, with a last line of progress. */
  stop(): void {
    clearInterval(this.#timer);
    this.print(progressLine(this.#stateOf(), Date.now()));
  }

  #show(): void {
    const line = progressLine(this.#stateOf(), Date.now());
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line.slice(0, process.stdout.columns - 1)}`);
    else console.log(line);
  }
}
