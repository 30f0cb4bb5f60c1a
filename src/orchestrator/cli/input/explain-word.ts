import { EXIT, EXIT_WORDS, Failure } from '../../../system/failure.ts';
import { FAILURE_CODES } from '../../../system/failure-codes.ts';
import { branches, type JsonSchema, keysIn, schemasAt } from '../../spec/schema/json-schema.ts';
import { nearest } from '../../spec/text/nearest.ts';

/** Levels of a spec that are searched for a key. */
const MAX_SPEC_DEPTH = 8;
/** Columns of the names of keys, at least. */
const MIN_KEY_COLUMNS = 15;

/**
 * Explains an exit code, an error code, or a key of the spec: all that have this word. @throws Failure `usage` (exit 2)
 * for an unknown word
 */
export function explainWord(word: string, schema: JsonSchema): readonly string[] {
  const code = Object.entries(EXIT_WORDS).find(([each]) => each === word);
  if (code !== undefined) return [`exit code ${code[0]}: ${code[1]}`];
  const error = Object.entries(FAILURE_CODES).flatMap(([each, text]) =>
    each === word ? [`error code ${each}: ${text}`] : [],
  );
  const path = word.split('.');
  const direct = schemasAt(schema, path);
  if (direct.length > 0) return [...error, ...keyLines(path, direct)];
  const all = paths(schema, []);
  const matches = all.filter((each) => each.at(-1) === word);
  if (matches.length + error.length > 0)
    return [...error, ...matches.flatMap((each) => keyLines(each, schemasAt(schema, each)))];
  const words = [...Object.keys(FAILURE_CODES), ...all.flatMap((each) => each.at(-1) ?? [])];
  const like = nearest(path.at(-1) ?? '', new Set(words));
  const guess = like === undefined ? '' : ` (did you mean ${like}?)`;
  throw new Failure('usage', `there is no key of the spec, error code or exit code ${word}${guess}`, {
    exit: EXIT.usage,
    hint: 'run `devnet schema` for all keys, docs/reference/errors.md has all codes',
  });
}

function keyLines(path: readonly string[], schemas: readonly JsonSchema[]): readonly string[] {
  const [first] = schemas;
  const kinds = [...new Set(schemas.flatMap(branches).flatMap(valueText))];
  const keys = keysIn(schemas);
  const width = Math.max(MIN_KEY_COLUMNS, ...keys.map(({ length }) => length));
  const described = schemas.flatMap(({ description }) => description ?? []);
  return [
    path.join('.'),
    ...new Set(described.map((text) => `  ${text}`)),
    ...(kinds.length === 0 ? [] : [`  value: ${kinds.join(' | ')}`]),
    ...(first?.default === undefined ? [] : [`  default: ${JSON.stringify(first.default)}`]),
    ...keys.map((key) => `  ${key.padEnd(width)}  ${descriptionOf(schemas, key)}`.trimEnd()),
  ];
}

function descriptionOf(schemas: readonly JsonSchema[], key: string): string {
  const children = schemas.flatMap((schema) => schemasAt(schema, [key]));
  return children.find(({ description }) => description !== undefined)?.description ?? '';
}

/** Names the values that a schema allows. */
function valueText({ type, enum: choices, const: only, minimum, maximum }: JsonSchema): readonly string[] {
  if (choices !== undefined) return choices.map(String);
  if (only !== undefined) return [String(only)];
  const low = minimum === undefined ? '' : ` from ${minimum}`;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return type === undefined ? [] : [`${type}${low}${high}`];
}

/** Lists the paths of all keys. `NAME` stands for a name of the user's. */
function paths(schema: JsonSchema, before: readonly string[]): readonly (readonly string[])[] {
  if (before.length >= MAX_SPEC_DEPTH) return [];
  return branches(schema).flatMap(({ properties = {}, additionalProperties }) => {
    const keyPaths = Object.entries(properties).flatMap(([key, value]) => [
      [...before, key],
      ...paths(value, [...before, key]),
    ]);
    if (typeof additionalProperties !== 'object') return keyPaths;
    return [...keyPaths, ...paths(additionalProperties, [...before, 'NAME'])];
  });
}
