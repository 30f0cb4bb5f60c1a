import { argumentKey } from '../../orchestrator/dashboard/explorer/argument-key.ts';
import type { ArgumentLinks } from '../../orchestrator/dashboard/explorer/argument-links.ts';

/** Entries of a list or a struct that are shown one by one; a longer one is one text. */
const MAX_LISTED_ENTRIES = 50;

/** Returns where a value leads. Undefined: nowhere. */
export function argumentLink(
  links: ArgumentLinks | undefined,
  name: string,
  text: string,
): ArgumentLinks[string] | undefined {
  const key = argumentKey(name, text);
  return links !== undefined && Object.hasOwn(links, key) ? links[key] : undefined;
}

/** Returns whether a value is shown entry by entry: a struct or a list of few entries. */
export function isListed(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const count = Object.keys(value).length;
  return count > 0 && count <= MAX_LISTED_ENTRIES;
}
