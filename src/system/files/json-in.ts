import { readText } from './folder.ts';

/** Returns the JSON document in a file, undefined if the file is absent or holds none. */
export function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readText(path) ?? '');
  } catch {
    return undefined;
  }
}
