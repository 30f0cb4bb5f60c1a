/** A token bucket: `perSecond` tokens in the long run, at most `burst` at once. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt = performance.now();

  /** Starts full. */
  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Tokens now, below zero after an overdraft. */
  get tokens(): number {
    const now = performance.now();
    const refill = ((now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + refill);
    this.#filledAt = now;
    return this.#tokens;
  }

  /** Takes tokens, also if the bucket holds fewer: the caller waits for them instead. */
  take(count: number): void {
    this.#tokens = this.tokens - count;
  }

  /** Returns the milliseconds until the bucket holds one token. */
  delayMs(): number {
    return Math.max(0, ((1 - this.tokens) / this.#perSecond) * 1000);
  }
}
