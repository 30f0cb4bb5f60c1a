import * as z from 'zod/mini';
import { at, isList, isMap, type Json, type Path } from '../schema/json.ts';
import { keysOf } from '../schema/json-schema.ts';
import { nearest } from './nearest.ts';
import { keySpanAt, type Layers, spanAt } from './positions.ts';
import { type Problem, problemAt } from './problem.ts';
import { ListPlaces, startsWith, withoutAll } from './removal.ts';

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
  /** Returns the place in the document of a path in `value`, whose lists may lack items. */
  placeOf(path: Path): Path;
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
  const places = new ListPlaces();
  const placeOf = (path: Path) => places.of(path);
  let value = input;
  // Without a fault, a further one may show: a key that is missing, or the rest of a union.
  for (;;) {
    const outcome = z.safeParse(schema, value);
    if (outcome.success) return { value, output: outcome.data, problems, bad, placeOf };
    const faults: Path[] = [];
    for (const issue of outcome.error.issues.flatMap((one) => simplify(one, value, [], { branches, places })))
      for (const { path, place, problem } of problemsOf(issue, value, { layers, schema, notes, places })) {
        if (bad.length >= MAX_FAULTS) return { value, output: undefined, problems, bad, placeOf };
        // What was removed with a fault is missing now.
        const isRemoved = at(value, path) === undefined && bad.some((fault) => startsWith(fault, place));
        if (isRemoved || bad.some((fault) => startsWith(place, fault))) continue;
        // Without its fault, a value may fit several branches of a union alike, or lack what a check of it asks for.
        const isRest =
          ['invalid_union', 'custom'].includes(issue.issue.code) && bad.some((fault) => startsWith(fault, place));
        bad.push(place);
        faults.push(path);
        if (!isRest) problems.push(problem);
      }
    if (faults.length === 0) return { value, output: undefined, problems, bad, placeOf };
    value = withoutAll(value, faults, places);
  }
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

/** What the faults that were found before say about those that follow. */
interface Earlier {
  readonly branches: Branches;
  readonly places: ListPlaces;
}

/** Finds the issues of the branch of a union that the value was meant for. */
function simplify(issue: Issue, document: Json, prefix: Path, earlier: Earlier): Placed[] {
  const path = [...prefix, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (issue.code !== 'invalid_union') return [{ issue, path }];
  const { branches, places } = earlier;
  const key = JSON.stringify(places.of(path));
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
    branches.set(key, errors.indexOf(best));
    return best.flatMap((inner) => simplify(inner, document, path, earlier));
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
  readonly places: ListPlaces;
}

/** A problem: the path of its value in what is left of the document, and its place in the document. */
interface Fault {
  readonly path: Path;
  readonly place: Path;
  readonly problem: Problem;
}

function* problemsOf(
  { issue, path, allowed = allowedOf(issue) }: Placed,
  value: Json,
  { layers, schema, notes, places }: Context,
): Generator<Fault> {
  const place = places.of(path);
  if (issue.code === 'unrecognized_keys') {
    const keys = keysOf(schema, path);
    for (const key of issue.keys) {
      const inner = [...place, key];
      const note = noteOf(notes, key);
      const more = { allowed: keys.join(', '), nearest: note === undefined ? nearest(key, keys) : undefined };
      const message = note ?? `unknown key "${key}"`;
      const problem = problemAt(keySpanAt(layers, inner), 'unknown-key', inner, message, more);
      yield { path: [...path, key], place: inner, problem };
    }
    return;
  }
  const last = String(path.at(-1));
  if (issue.code === 'invalid_key') {
    const words = issue.issues.map(({ message }) => message).join('; ');
    const message = `"${last}" cannot be used as a name here`;
    yield { path, place, problem: problemAt(keySpanAt(layers, place), 'name', place, message, { allowed: words }) };
    return;
  }
  const actual = at(value, path);
  if (actual === undefined) {
    const problem = problemAt(spanAt(layers, place), 'missing', place, `"${last}" is missing`, { allowed });
    yield { path, place, problem };
    return;
  }
  const words = typeof actual === 'string' && issue.code === 'invalid_value' ? issue.values.map(String) : undefined;
  const note = words === undefined ? undefined : noteOf(notes, String(actual));
  const code = issue.code === 'invalid_type' || issue.code === 'invalid_union' ? 'type' : 'value';
  const near = words === undefined ? undefined : nearest(String(actual), words);
  const message =
    note ?? `found ${issue.code === 'invalid_union' && isMap(actual) ? keysIn(actual) : describe(actual)}`;
  const problem = problemAt(spanAt(layers, place), code, place, message, { allowed, nearest: near });
  yield { path, place, problem };
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
