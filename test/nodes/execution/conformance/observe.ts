/** Position of a value in results (`[]`: any element; `{…}`: any key of a kind) → kinds of value there. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the kind of a JSON-RPC value. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return typeof value;
  if (!/^0x[0-9a-f]*$/i.test(value)) return 'text';
  if (value.length === 66) return 'word';
  if (value.length === 42) return 'address';
  if (value.length === 514) return 'bloom';
  if (/^0x[1-9a-f][0-9a-f]{25,31}$/.test(value)) return 'id';
  return /^0x(0|[1-9a-f][0-9a-f]*)$/.test(value) && value.length < 34 ? 'quantity' : 'data';
}

/** Returns the kind of a key that is data, else the key. */
function keyOf(key: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(key)) return '{address}';
  if (/^0x[0-9a-fA-F]{64}$/.test(key) || /^[0-9a-f]{64}$/.test(key)) return '{word}';
  if (/^0x[0-9a-f]{8}-\d+$/.test(key)) return '{selector}';
  return /^\d+$/.test(key) ? '{number}' : key;
}

/** Adds the fields of a result to the observed shape. */
export function observe(value: unknown, shape: Map<string, Set<string>>, path = ''): void {
  const note = (kind: string) => {
    const kinds = shape.get(path) ?? new Set();
    shape.set(path, kinds.add(kind));
  };
  if (Array.isArray(value)) {
    note('array');
    for (const item of value) observe(item, shape, `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    note('object');
    for (const [key, item] of Object.entries(value))
      observe(item, shape, path === '' ? keyOf(key) : `${path}.${keyOf(key)}`);
  } else note(kindOf(value));
}
