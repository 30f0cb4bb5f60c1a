import { EXIT, Failure } from '../../../system/failure.ts';
import { at, isList, isMap, type Json, mapValues, type Path } from '../../spec/schema/json.ts';
import type { Evidence } from '../step.ts';
import { REFERENCE } from '../words.ts';

interface Reference {
  readonly path: Path;
  /** As it is written: `${tx1.hash}`. */
  readonly text: string;
  readonly name: string;
  /** The first key of the value that it names. */
  readonly key: string;
}

/** Lists the references in a step's value. `except`: path of the steps within it, which have their own. */
export function referencesIn(value: Json, except: Path | undefined): readonly Reference[] {
  const references: Reference[] = [];
  const visit = (item: Json, path: Path) => {
    if (except !== undefined && path.join('\0') === except.join('\0')) return;
    if (typeof item === 'string')
      for (const match of item.matchAll(REFERENCE)) {
        const [name = '', key = ''] = (match[1] ?? '').split('.');
        references.push({ path, text: match[0], name, key });
      }
    else if (isList(item)) for (const [index, inner] of item.entries()) visit(inner, [...path, index]);
    else if (isMap(item))
      for (const [key, inner] of Object.entries(item)) if (inner !== undefined) visit(inner, [...path, key]);
  };
  visit(value, []);
  return references;
}

/**
 * Replaces references by the values of earlier steps. A text that is one reference becomes the value itself.
 * @throws Failure `reference` if a step has no such value
 */
export function resolveReferences(value: Json, values: ReadonlyMap<string, Evidence>): Json {
  if (isList(value)) return value.map((item) => resolveReferences(item, values));
  if (isMap(value)) return mapValues(value, (item) => resolveReferences(item, values));
  if (typeof value !== 'string') return value;
  const whole = /^\$\{([A-Za-z_]\w*(?:\.\w+)+)\}$/.exec(value);
  if (whole !== null) return namedBy(whole[1] ?? '', values);
  return value.replace(REFERENCE, (_, path: string) => {
    const replacement = namedBy(path, values);
    return typeof replacement === 'string' ? replacement : JSON.stringify(replacement);
  });
}

function namedBy(path: string, values: ReadonlyMap<string, Evidence>): Json {
  const [name = '', ...keys] = path.split('.');
  const value = at(JSON.parse(JSON.stringify(values.get(name) ?? null)) as Json, keys);
  if (value !== undefined && value !== null) return value;
  throw new Failure('reference', `\${${path}} has no value: the step "${name}" did not find one`, {
    exit: EXIT.failed,
  });
}
