import type { Hex } from '../../../protocol/types.ts';
import type { PayloadJob } from './payload-job.ts';

/** Maximum number of payloads. Each holds the state of a whole block. */
const MAX_PAYLOADS = 6;

/** Payloads by id (geth: `payloadQueue`, reth: `PayloadBuilderService`). Only the newest one improves. */
export class PayloadJobs {
  readonly #jobs = new Map<Hex, PayloadJob>();

  get(id: Hex): PayloadJob | undefined {
    return this.#jobs.get(id);
  }

  add(id: Hex, job: PayloadJob): void {
    for (const other of this.#jobs.values()) void other.abandon();
    this.#jobs.set(id, job);
    const [oldest] = this.#jobs.keys();
    if (oldest !== undefined && this.#jobs.size > MAX_PAYLOADS) this.#jobs.delete(oldest);
  }

  /** Whether a payload runs a transaction now. */
  get isWorking(): boolean {
    return [...this.#jobs.values()].some((job) => job.isWorking);
  }

  /** Forgets all payloads. Resolves when running work has ended. */
  async clear(): Promise<void> {
    await this.close();
    this.#jobs.clear();
  }

  /** Resolves when running work has ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map((job) => job.abandon()));
  }
}
