import { argumentKey, farKey } from '../../orchestrator/dashboard/explorer/argument-key.ts';
import type { ArgumentLinks } from '../../orchestrator/dashboard/explorer/argument-links.ts';

/** Entries of a list or a struct that are shown one by one; a longer one is one text. */
const MAX_LISTED_ENTRIES = 50;

/** Returns where a value leads. Undefined: nowhere. `path`: see `farKey`. */
export function argumentLink(
  links: ArgumentLinks | undefined,
  name: string,
  text: string,
  path = '',
): ArgumentLinks[string] | undefined {
  const keys = [farKey(path, text), argumentKey(name, text)];
  const key = keys.find((each) => links !== undefined && Object.hasOwn(links, each));
  return key === undefined ? undefined : links?.[key];
}

/** Returns whether a value is shown entry by entry: a struct or a list of few entries. */
export function isListed(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const count = Object.keys(value).length;
  return count > 0 && count <= MAX_LISTED_ENTRIES;
}
