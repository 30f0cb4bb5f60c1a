import type { Hex } from '../../protocol/types.ts';
import type { L1Backend, Terms } from './l1-backend.ts';

/** Assigns the nonces of one account to candidates, in the order of the calls (op-service: `signWithNextNonce`). */
export class NonceAllocator {
  readonly #l1: Pick<L1Backend, 'terms'>;
  readonly #address: Hex;
  /** Nonces of candidates in flight. */
  readonly #inFlight = new Set<number>();
  /** Serializes the assignment of nonces. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(l1: Pick<L1Backend, 'terms'>, address: Hex) {
    this.#l1 = l1;
    this.#address = address;
  }

  /** Tells whether a candidate in flight has the nonce. */
  isInFlight(nonce: number): boolean {
    return this.#inFlight.has(nonce);
  }

  /** Runs `assign` once all earlier ones have ended. */
  inTurn<Result>(assign: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(assign);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Reserves the lowest nonce that is neither used nor in flight. Returns it with the prices of now. */
  async reserve(): Promise<Terms> {
    const { nonce: next, prices } = await this.#l1.terms(this.#address);
    let nonce = next;
    while (this.#inFlight.has(nonce)) nonce++;
    this.#inFlight.add(nonce);
    return { nonce, prices };
  }

  release(nonce: number): void {
    this.#inFlight.delete(nonce);
  }
}
