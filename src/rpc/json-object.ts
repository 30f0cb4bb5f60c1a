/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON; undefined if the text is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a parsed JSON value is an object, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field of a parsed JSON value; undefined if the value is no object. */
export function jsonField(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Returns the objects of a parsed JSON list. @throws Error if it is no list of objects */
export function jsonObjects(value: unknown, what: string): readonly JsonObject[] {
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw new Error(`${what}: expected a list of objects`);
  return value;
}
