import * as z from 'zod/mini';
import { at, edit, isList, isMap, type Json, type Path } from '../schema/json.ts';
import { keysOf } from '../schema/json-schema.ts';
import { nearest } from './nearest.ts';
import { keySpanAt, type Layers, spanAt } from './positions.ts';
import { type Problem, problemAt } from './problem.ts';

type Issue = z.core.$ZodIssue;

/** Messages for keys that a schema does not know, instead of "unknown key". */
export type KeyNotes = Readonly<Record<string, string>>;

export interface Checked<T> {
  /** The document without its faults, so that the rest can be checked too. */
  readonly value: Json;
  /** What the schema makes of that value; undefined if too much is wrong. */
  readonly output: T | undefined;
  readonly problems: readonly Problem[];
  /** Where the faults are. */
  readonly bad: readonly Path[];
}

/** Faults after which a document is another one than was meant. */
const MAX_FAULTS = 200;

/** Checks the shape of the value of layers. */
export function checkShape<T extends z.ZodMiniType>(
  input: Json,
  layers: Layers,
  schema: T,
  notes: KeyNotes = {},
): Checked<z.output<T>> {
  const problems: Problem[] = [];
  const bad: Path[] = [];
  const branches: Branches = new Map();
  let value = input;
  // Without a fault, a further one may show: a key that is missing, or the rest of a union.
  for (;;) {
    const outcome = z.safeParse(schema, value);
    if (outcome.success) return { value, output: outcome.data, problems, bad };
    const before = bad.length;
    for (const issue of outcome.error.issues.flatMap((one) => simplify(one, value, [], branches)))
      for (const [path, problem] of problemsOf(issue, value, { layers, schema, notes })) {
        if (bad.length >= MAX_FAULTS) return { value, output: undefined, problems, bad };
        // What was removed with a fault is missing now.
        const isRemoved = at(value, path) === undefined && bad.some((fault) => startsWith(fault, path));
        if (isRemoved || bad.some((fault) => startsWith(path, fault))) continue;
        // Without its fault, a value may fit several branches of a union alike, or lack what a check of it asks for.
        const isRest =
          ['invalid_union', 'custom'].includes(issue.issue.code) && bad.some((fault) => startsWith(fault, path));
        bad.push(path);
        if (!isRest) problems.push(problem);
      }
    if (bad.length === before) return { value, output: undefined, problems, bad };
    value = bad.slice(before).reduce(without, value);
  }
}

/** Tells whether one path lies at or below another. */
export function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((part, index) => String(part) === String(path[index]));
}

/** Removes a value. If it is missing, the map that lacks it goes, but never the whole document. */
function without(document: Json, path: Path): Json {
  const isMissing = at(document, path) === undefined;
  if (path.length <= (isMissing ? 1 : 0)) return isMissing ? document : {};
  return edit(document, isMissing ? path.slice(0, -1) : path, () => undefined);
}

/** An issue with its whole path. */
interface Placed {
  readonly issue: Issue;
  readonly path: Path;
  /** Instead of what the issue allows. */
  readonly allowed?: string;
}

/**
 * Numbers of the branches of unions that values were meant for, by path. Without its faults, a value may fit another
 * branch better.
 */
type Branches = Map<string, number>;

/** Finds the issues of the branch of a union that the value was meant for. */
function simplify(issue: Issue, document: Json, prefix: Path, branches: Branches): Placed[] {
  const path = [...prefix, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (issue.code !== 'invalid_union') return [{ issue, path }];
  const key = JSON.stringify(path);
  const value = at(document, path);
  const errors: readonly (readonly Issue[])[] = issue.errors;
  const fits = errors.filter(
    (branch) => !branch.some((inner) => inner.path.length === 0 && isOfOtherType(inner, value)),
  );
  const before = fits.find((branch) => errors.indexOf(branch) === branches.get(key));
  const [best, other] = before === undefined ? fits.toSorted(byFaults) : [before];
  // No branch fits better than the others: the message of the union names them all.
  const isOpen = other !== undefined && byFaults(best ?? other, other) === 0 && !isGeneric(issue.message);
  if (best !== undefined && !isOpen) {
    // The items of a list move up when one before them goes.
    if (path.every((part) => typeof part === 'string')) branches.set(key, errors.indexOf(best));
    return best.flatMap((inner) => simplify(inner, document, path, branches));
  }
  const allowed = issue.errors.flatMap((branch) => branch.filter((inner) => inner.path.length === 0).map(allowedOf));
  return [{ issue, path, allowed: isGeneric(issue.message) ? [...new Set(allowed)].join(', ') : issue.message }];
}

/** Compares branches of a union: first by the keys that each does not know, then by all their issues. */
function byFaults(a: readonly Issue[], b: readonly Issue[]): number {
  const unknown = (branch: readonly Issue[]) =>
    branch.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
  return unknown(a) - unknown(b) || a.length - b.length;
}

function isOfOtherType(issue: Issue, value: Json | undefined): boolean {
  return issue.code === 'invalid_type' || (issue.code === 'invalid_value' && (isMap(value) || isList(value)));
}

interface Context {
  readonly layers: Layers;
  readonly schema: z.ZodMiniType;
  readonly notes: KeyNotes;
}

function* problemsOf(
  { issue, path, allowed = allowedOf(issue) }: Placed,
  value: Json,
  { layers, schema, notes }: Context,
): Generator<readonly [Path, Problem]> {
  if (issue.code === 'unrecognized_keys') {
    const keys = keysOf(schema, path);
    for (const key of issue.keys) {
      const inner = [...path, key];
      const note = noteOf(notes, key);
      const more = { allowed: keys.join(', '), nearest: note === undefined ? nearest(key, keys) : undefined };
      yield [inner, problemAt(keySpanAt(layers, inner), 'unknown-key', inner, note ?? `unknown key "${key}"`, more)];
    }
    return;
  }
  const last = String(path.at(-1));
  if (issue.code === 'invalid_key') {
    const words = issue.issues.map(({ message }) => message).join('; ');
    const message = `"${last}" cannot be used as a name here`;
    yield [path, problemAt(keySpanAt(layers, path), 'name', path, message, { allowed: words })];
    return;
  }
  const actual = at(value, path);
  if (actual === undefined) {
    yield [path, problemAt(spanAt(layers, path), 'missing', path, `"${last}" is missing`, { allowed })];
    return;
  }
  const words = typeof actual === 'string' && issue.code === 'invalid_value' ? issue.values.map(String) : undefined;
  const note = words === undefined ? undefined : noteOf(notes, String(actual));
  const code = issue.code === 'invalid_type' || issue.code === 'invalid_union' ? 'type' : 'value';
  const near = words === undefined ? undefined : nearest(String(actual), words);
  const message =
    note ?? `found ${issue.code === 'invalid_union' && isMap(actual) ? keysIn(actual) : describe(actual)}`;
  yield [path, problemAt(spanAt(layers, path), code, path, message, { allowed, nearest: near })];
}

/** A key may have the name of what every object has: toString. */
function noteOf(notes: KeyNotes, key: string): string | undefined {
  return Object.hasOwn(notes, key) ? notes[key] : undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'text',
  int: 'a whole number',
  null: 'nothing',
};

function allowedOf(issue: Issue): string {
  if (!isGeneric(issue.message)) return issue.message;
  if (issue.code === 'invalid_value') return issue.values.map(String).join(', ');
  return issue.code === 'invalid_type' ? (TYPES[issue.expected] ?? `a ${issue.expected}`) : 'another value';
}

/** Whether a message is the schema library's own: in short, or in full once the process has loaded its English. */
function isGeneric(message: string): boolean {
  return /^(Invalid (input|option|key|value|string|number)|Too (big|small)|Unrecognized key)/.test(message);
}

/** Describes a map that fits no branch of a union by its first keys. */
function keysIn(map: object): string {
  const keys = Object.keys(map).slice(0, 3);
  return keys.length === 0 ? 'an empty map' : `a map with ${keys.map((key) => JSON.stringify(key)).join(', ')}`;
}

function describe(value: Json): string {
  if (isMap(value)) return 'a map';
  if (isList(value)) return 'a list';
  if (value === null) return 'nothing';
  if (typeof value !== 'string') return `the ${typeof value} ${value}`;
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value);
}
