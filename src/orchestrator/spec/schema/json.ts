/** A plain value of a document. */
export type Json = string | number | boolean | null | readonly Json[] | JsonMap;
export interface JsonMap {
  readonly [key: string]: Json | undefined;
}

/** Keys and list positions that lead to a value. */
export type Path = readonly (string | number)[];

/** Tells a map from scalars and lists. */
export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** Tells a list from scalars and maps. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Finds the value at a path. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((inner, part) => {
    if (isList(inner)) return inner[Number(part)];
    return isMap(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined;
  }, value);
}

/**
 * Copies a value with every value at a path replaced; `*` stands for any key. Undefined removes the value.
 * `change` is called with the keys that lead to the value.
 */
export function edit(value: Json, path: Path, change: (value: Json, at: Path) => Json | undefined): Json {
  const [first, ...rest] = path;
  const inner = (item: Json, key: string | number) =>
    rest.length === 0 ? change(item, [key]) : edit(item, rest, (below, at) => change(below, [key, ...at]));
  if (isList(value))
    return value.flatMap((item, index) => {
      const changed = index === Number(first) ? inner(item, index) : item;
      return changed === undefined ? [] : [changed];
    });
  if (!isMap(value)) return value;
  return mapValues(value, (item, key) => (first === '*' || first === key ? inner(item, key) : item));
}

/** Copies a map with its values changed. Entries without a value are left out. */
export function mapValues<T, R>(
  map: { readonly [key: string]: T | undefined },
  change: (value: T, key: string) => R | undefined,
): { [key: string]: R } {
  const changed: { [key: string]: R } = {};
  for (const [key, value] of Object.entries(map)) {
    const result = value === undefined ? undefined : change(value, key);
    if (result !== undefined) changed[key] = result;
  }
  return changed;
}
