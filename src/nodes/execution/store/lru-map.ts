/** A map that forgets the least recently used: at most `limit` entries, or at most `most` entries that together weigh at most `limit`. */
export class LruMap<Value, Key extends string | number = string> {
  readonly #limit: number;
  readonly #weigh: (value: Value) => number;
  readonly #most: number;
  readonly #entries = new Map<Key, Value>();
  #weight = 0;

  constructor(limit: number, weigh: (value: Value) => number = () => 1, most = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#weigh = weigh;
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    while (this.#weight > this.#limit || this.#entries.size > this.#most)
      this.delete(this.#entries.keys().next().value!);
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }

  get size(): number {
    return this.#entries.size;
  }
}
