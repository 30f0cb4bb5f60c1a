import type { Hex } from '../../../protocol/types.ts';
import type { PayloadJob } from './payload-job.ts';

/** Jobs that can be asked for: each holds the state of a whole block. */
const REMEMBERED = 6;

/** The payloads that are being built or were, by id. Only the newest one goes on improving. */
export class PayloadJobs {
  readonly #jobs = new Map<Hex, PayloadJob>();

  get(id: Hex): PayloadJob | undefined {
    return this.#jobs.get(id);
  }

  add(id: Hex, job: PayloadJob): void {
    for (const other of this.#jobs.values()) void other.abandon();
    this.#jobs.set(id, job);
    if (this.#jobs.size > REMEMBERED) this.#jobs.delete(this.#jobs.keys().next().value!);
  }

  /** Whether transactions run for one at this moment. */
  get isWorking(): boolean {
    return [...this.#jobs.values()].some((job) => job.isWorking);
  }

  /** Lets running work end. */
  async close(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map((job) => job.abandon()));
  }
}
