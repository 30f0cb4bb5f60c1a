interface Entry<Value, Key> {
  readonly key: Key;
  readonly value: Value;
  /** Neighbours in order of use. The ends of the list are the map's sentinel. */
  older: Entry<Value, Key>;
  newer: Entry<Value, Key>;
}

/**
 * A map that evicts the least recently used entries above `limit` entries, or above their total weight.
 * `most` limits their number as well. The order is a linked list: the first key of a JavaScript map is slow to find
 * after deletions.
 */
export class LruMap<Value, Key extends string | number = string> {
  readonly #limit: number;
  readonly #weigh: (value: Value) => number;
  readonly #most: number;
  readonly #entries = new Map<Key, Entry<Value, Key>>();
  /** Sentinel of the list: `newer` is the oldest entry, `older` the newest. */
  readonly #end: Entry<Value, Key>;
  #weight = 0;

  constructor(limit: number, weigh: (value: Value) => number = () => 1, most = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#weigh = weigh;
    this.#most = most;
    const end = {} as Entry<Value, Key>;
    end.older = end;
    end.newer = end;
    this.#end = end;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry !== this.#end.older) {
      unlink(entry);
      this.#append(entry);
    }
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const entry: Entry<Value, Key> = { key, value, older: this.#end, newer: this.#end };
    this.#append(entry);
    this.#entries.set(key, entry);
    this.#weight += this.#weigh(value);
    while (this.#weight > this.#limit || this.#entries.size > this.#most) this.delete(this.#end.newer.key);
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    unlink(entry);
    this.#weight -= this.#weigh(entry.value);
  }

  get size(): number {
    return this.#entries.size;
  }

  #append(entry: Entry<Value, Key>): void {
    const newest = this.#end.older;
    entry.older = newest;
    entry.newer = this.#end;
    newest.newer = entry;
    this.#end.older = entry;
  }
}

function unlink<Value, Key>({ older, newer }: Entry<Value, Key>): void {
  older.newer = newer;
  newer.older = older;
}
