import { visit } from 'jsonc-parser';

type Reviver = NonNullable<Parameters<typeof JSON.parse>[1]>;

/** Characters of a path that a message shows. */
const SHOWN_PATH_LENGTH = 120;

/** A fault of a JSON document that `JSON.parse` accepts. */
export class UnclearJson extends SyntaxError {}

/**
 * Parses JSON in which each object has each key once: of several, `JSON.parse` keeps the last one silently.
 * The search for keys takes about 10 ms per MB. @throws SyntaxError with the line
 */
export function parseUniqueJson(text: string, reviver?: Reviver): unknown {
  try {
    const value: unknown = JSON.parse(text, reviver);
    checkKeys(text);
    return value;
  } catch (error) {
    // Revivers and visitors are called within each other, level by level.
    if (error instanceof RangeError) throw new UnclearJson('it is nested too deeply');
    throw error;
  }
}

/** @throws UnclearJson naming the first key that stands twice in an object */
function checkKeys(text: string): void {
  const objects: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(key, _offset, _length, line, character, path) {
      const keys = objects.at(-1);
      if (keys?.has(key)) {
        const label = JSON.stringify([...path(), key].join('.').slice(0, SHOWN_PATH_LENGTH));
        throw new UnclearJson(`line ${line + 1}, column ${character + 1}: the key ${label} stands here twice`);
      }
      keys?.add(key);
    },
  });
}
