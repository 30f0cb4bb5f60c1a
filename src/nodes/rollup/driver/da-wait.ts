import type { DaStorage } from '../../../protocol/derivation/ports.ts';

/** Notes whether derivation waits for the DA server: the newest request brought no data. */
export class DaWait {
  #isWaiting = false;

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Says that derivation has something else to do first. */
  over(): void {
    this.#isWaiting = false;
  }

  /** Returns a storage that is followed. */
  around(storage: DaStorage): DaStorage {
    return async (commitment) => {
      try {
        const data = await storage(commitment);
        this.#isWaiting = data === null;
        return data;
      } catch (error) {
        this.#isWaiting = true;
        throw error;
      }
    };
  }
}
