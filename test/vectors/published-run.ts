import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SampleFile } from './files.ts';
import type { Outcome } from './outcome.ts';
import { Progress, type RunState } from './progress.ts';
import type { RunRecord } from './run-record.ts';
import { Tally } from './tally.ts';
import { WorkerProcess } from './worker-process.ts';

/** A folder in memory if the system has one: each case writes a chain. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** What a run is about. */
export interface RunPlan {
  readonly folder: string;
  readonly files: readonly SampleFile[];
  /** The cases to run, by name. undefined: all of the files. */
  readonly caseFilter: string | undefined;
  readonly workers: number;
  readonly record: RunRecord;
}

/** Runs the files of a plan in several processes. Each file that is done goes to the record. */
export class PublishedRun {
  readonly tally = new Tally();
  /** One line for each failed case. */
  readonly problems: string[] = [];
  readonly #plan: RunPlan;
  readonly #running = new Map<string, number>();
  /** Everything that the cases write. */
  readonly #temporary = mkdtempSync(join(BASE, 'vectors-'));
  readonly #progress = new Progress(() => this.#state);
  #workers: readonly WorkerProcess[] = [];
  #done = 0;

  constructor(plan: RunPlan) {
    this.#plan = plan;
  }

  /** Takes the results of the record, and runs all other files. */
  async run(): Promise<void> {
    const { files, record, workers } = this.#plan;
    const left = files.filter((file) => {
      const earlier = record.resultOf(file);
      if (earlier === undefined) return true;
      this.tally.merge(earlier.suites);
      this.problems.push(...earlier.problems);
      this.#done++;
      return false;
    });
    const queue = left.values();
    this.#workers = Array.from({ length: Math.min(workers, left.length) }, () => new WorkerProcess(this.#temporary));
    await Promise.all(
      this.#workers.map(async (worker) => {
        for (const file of queue) await this.#runFile(worker, file);
      }),
    );
    this.stop();
  }

  /** Ends all processes and removes what they wrote. Returns the number of files that are done. */
  stop(): number {
    for (const worker of this.#workers) worker.kill();
    this.#running.clear();
    this.#progress.stop();
    rmSync(this.#temporary, { recursive: true, force: true });
    return this.#done;
  }

  async #runFile(worker: WorkerProcess, file: SampleFile): Promise<void> {
    const { folder, caseFilter } = this.#plan;
    const { path } = file;
    const order = { folder, path, ...(caseFilter === undefined ? {} : { filter: caseFilter }) };
    const ofFile = new Tally();
    const problems: string[] = [];
    const count = (suite: string, outcome: Outcome) => {
      ofFile.add(suite, outcome);
      this.tally.add(suite, outcome);
    };
    const fail = (name: string, problem: string) => {
      const line = `${name.startsWith(path) ? name : `${path}: ${name}`}: ${problem}`;
      problems.push(line);
      this.problems.push(line);
      this.#progress.print(`FAILED ${line}`);
    };
    this.#running.set(path, Date.now());
    const crash = await worker.run(order, ({ name, suite, outcome }) => {
      count(suite, outcome);
      if (outcome.state === 'failed') fail(name, outcome.problem);
    });
    this.#running.delete(path);
    this.#done++;
    if (crash === undefined) {
      this.#plan.record.add({ ...file, suites: ofFile.suites, problems });
      return;
    }
    // No result of this file goes to the record: it runs again with more memory, or fewer workers.
    count('files whose process ended', { state: 'failed', problem: crash });
    fail('the file', crash);
  }

  get #state(): RunState {
    return { files: this.#plan.files.length, done: this.#done, total: this.tally.total, running: this.#running };
  }
}
