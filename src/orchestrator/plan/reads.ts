import type { Values } from '../template/references.ts';
import type { ArgumentTemplate, Text } from '../template/template.ts';
import { referencesIn, referenceValue } from '../template/text.ts';
import type { PlannedFile } from './plan.ts';

/**
 * Returns the paths of the planned files that a task's references lead to. A reference to a folder leads to every
 * file in it.
 */
export function readsOf(texts: readonly Text[], values: Values, files: readonly PlannedFile[]): readonly string[] {
  const roots = new Set(texts.flatMap(referencesIn).map((reference) => referenceValue(values, reference)));
  const isRead = (path: string) =>
    [...roots].some((root) => typeof root === 'string' && (path === root || path.startsWith(`${root}/`)));
  return files.map(({ path }) => path).filter(isRead);
}

/** Returns the texts among the values of arguments. */
export function textsOf(args: Readonly<Record<string, ArgumentTemplate>>): readonly Text[] {
  return Object.values(args).flatMap((value) => {
    if (value === null || typeof value !== 'object') return [];
    return 'parts' in value ? [value] : value;
  });
}
