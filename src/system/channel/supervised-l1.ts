import type { Connection } from './connection.ts';
import type { L1Answer, L1Message, L1Request, PoolFaultMatch } from './l1-requests.ts';

/** The L1 service of a program's channel. */
export interface L1Service {
  /** Sets what answers the supervisor's requests about L1. A request that cannot be made rejects. */
  onL1(answer: (request: L1Request) => Promise<L1Answer>): void;
  /** Tells the supervisor that a fault of the pool has met a transaction. */
  tellPoolFault(match: PoolFaultMatch): void;
}

/** The L1 service: answers the supervisor's requests in their order, also those from before the answers were set. */
export class SupervisedL1 implements L1Service {
  readonly #connection: Connection;
  readonly #ready = Promise.withResolvers<(request: L1Request) => Promise<L1Answer>>();
  #last: Promise<void> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  onL1(answer: (request: L1Request) => Promise<L1Answer>): void {
    this.#ready.resolve(answer);
  }

  tellPoolFault(match: PoolFaultMatch): void {
    this.#connection.send(match);
  }

  receive({ ask, l1 }: L1Message): void {
    this.#last = this.#last.then(async () => {
      const outcome = await (await this.#ready.promise)(l1).then(
        (result) => ({ reply: ask, result }),
        (error: unknown) => ({ reply: ask, error: error instanceof Error ? error.message : String(error) }),
      );
      this.#connection.send(outcome);
    });
  }
}
