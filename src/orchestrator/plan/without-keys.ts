type Json = Record<string, unknown>;

/** Removes the keys at some paths (`a.b.c`) from the text of a JSON file. Paths that lead nowhere change nothing. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const document: unknown = JSON.parse(text);
  for (const key of keys) {
    const parts = key.split('.');
    const owner = at(document, parts.slice(0, -1));
    if (isMap(owner)) delete owner[parts.at(-1) ?? ''];
  }
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns whether a document has a key at a path. */
export function isPresent(document: unknown, key: string): boolean {
  const parts = key.split('.');
  const owner = at(document, parts.slice(0, -1));
  return isMap(owner) && Object.hasOwn(owner, parts.at(-1) ?? '');
}

function at(document: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>((value, part) => (isMap(value) ? value[part] : undefined), document);
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
