/** A map that keeps the values used last. */
export interface Lru<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Keeps at most `size` values. */
export function lru<Value>(size: number): Lru<Value> {
  const entries = new Map<string, Value>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > size) entries.delete(entries.keys().next().value as string);
    },
    delete: (key) => void entries.delete(key),
  };
}

/** Answers that are asked for once. */
export interface Once<Value> {
  /** Later askers wait for, or get, the first one's answer. Failures are not kept. */
  get(key: string): Promise<Value>;
  /** Takes an answer that came otherwise. */
  set(key: string, value: Value): void;
}

/** Keeps at most `size` answers. */
export function once<Value>(size: number, load: (key: string) => Promise<Value>): Once<Value> {
  const cache = lru<Promise<Value>>(size);
  return {
    get(key) {
      const known = cache.get(key);
      if (known) return known;
      const loading = load(key);
      cache.set(key, loading);
      loading.catch(() => cache.delete(key));
      return loading;
    },
    set: (key, value) => cache.set(key, Promise.resolve(value)),
  };
}
