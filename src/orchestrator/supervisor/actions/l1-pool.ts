import type { L1Answer, L1Request } from '../../../system/channel/l1-requests.ts';
import type { L1PoolFault } from '../../state/faults.ts';

/** Has l1-beacon follow the faults of L1's pool that are declared. */
export class L1Pool {
  readonly #ask: (request: L1Request) => Promise<L1Answer>;
  #declared: readonly L1PoolFault[] = [];
  #sent: Promise<unknown> = Promise.resolve();

  /** `ask` sends a request to l1-beacon. */
  constructor(ask: (request: L1Request) => Promise<L1Answer>) {
    this.#ask = ask;
  }

  /** Declares the faults, and sends what has changed. */
  follow(faults: readonly L1PoolFault[]): void {
    const before = this.#declared;
    this.#declared = faults;
    if (before.some(isNotIn(faults))) this.#keep();
    for (const fault of faults.filter(isNotIn(before))) this.#add(fault);
  }

  /** Sends all faults, to a program that knows none of them, or too many. */
  sendAll(): void {
    if (this.#declared.length === 0) return;
    this.#keep();
    for (const fault of this.#declared) this.#add(fault);
  }

  /** Resolves when l1-beacon has what was declared, or does not run. */
  async sent(): Promise<void> {
    await this.#sent;
  }

  #keep(): void {
    this.#send({ do: 'keep-pool', ids: this.#declared.map(({ id }) => id) });
  }

  #add({ id, action, from, nonce, until }: L1PoolFault): void {
    this.#send({ do: 'pool', fault: { id, action, from, nonce, until } });
  }

  /** An l1-beacon that does not answer gets all faults when it is connected again. */
  #send(request: L1Request): void {
    const answer = this.#ask(request).catch(() => undefined);
    this.#sent = Promise.all([this.#sent, answer]);
  }
}

function isNotIn(others: readonly L1PoolFault[]): (fault: L1PoolFault) => boolean {
  return ({ id, since }) => !others.some((other) => other.id === id && other.since === since);
}
