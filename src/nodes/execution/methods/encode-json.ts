import type { Resumable } from '../../../protocol/resumable.ts';
import type { JsonPart } from '../../../rpc/server/json-text.ts';
import { JsonTextWriter, WrittenView } from '../views/json-text.ts';
import { LazyList } from '../views/lazy-list.ts';

/** Length from which an array is encoded in parts. */
const MIN_PART_LENGTH = 64;
/** Items of a long array that one step encodes at most. */
const PART_ITEMS = 32;
/** Levels of a value in which long arrays are looked for: a block's traces hold steps in the fourth. */
const MAX_PART_DEPTH = 5;

/** Encodes a result in steps. Returns its parts; undefined above the limit of characters or of a string's length. */
export function* encodeJson(value: unknown, limit: number): Resumable<readonly JsonPart[] | undefined> {
  const parts: JsonPart[] = [];
  let size = 0;
  try {
    for (const part of partsOf(value ?? null, MAX_PART_DEPTH)) {
      parts.push(part);
      size += part.length;
      if (size > limit) return undefined;
      yield;
    }
    return parts;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Yields the encoding of a value in parts. */
function* partsOf(value: unknown, levels: number): Generator<JsonPart> {
  if (value instanceof LazyList) {
    yield* viewsOf(value);
  } else if (value instanceof WrittenView) {
    yield value.text;
  } else if (!hasLongArray(value, levels)) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    yield* itemsOf(value, levels - 1);
  } else {
    let separator = '{';
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* partsOf(item, levels - 1);
      separator = ',';
    }
    yield '}';
  }
}

/** Yields the encoding of an array: items without long arrays together, because each part has its price. */
function* itemsOf(items: readonly unknown[], levels: number): Generator<JsonPart> {
  for (let at = 0; at < items.length; ) {
    yield at === 0 ? '[' : ',';
    let end = at;
    while (end < items.length && end - at < PART_ITEMS && !hasLongArray(items[end], levels)) end++;
    if (end > at) {
      yield JSON.stringify(items.slice(at, end)).slice(1, -1);
      at = end;
    } else {
      yield* partsOf(items[at], levels);
      at++;
    }
  }
  yield items.length === 0 ? '[]' : ']';
}

/** Yields the encoding of a list of views. */
function* viewsOf({ length, viewAt }: LazyList): Generator<JsonPart> {
  const writer = new JsonTextWriter();
  for (let at = 0; at < length; ) {
    for (const end = Math.min(length, at + PART_ITEMS); at < end; at++) {
      const index = at;
      writer.add(at === 0 ? '[' : ',', (fields) => viewAt(index, fields));
    }
    yield writer.take();
  }
  yield length === 0 ? '[]' : ']';
}

function hasLongArray(value: unknown, levels: number): value is object {
  if (levels === 0 || typeof value !== 'object' || value === null) return false;
  if (value instanceof LazyList) return true;
  if (Array.isArray(value) && value.length >= MIN_PART_LENGTH) return true;
  for (const item of Object.values(value)) if (typeof item === 'object' && hasLongArray(item, levels - 1)) return true;
  return false;
}
