import { nearest } from './nearest.ts';
import { type Problem, problemAt } from './problem.ts';
import { at, keyAt, type Path, plain, spanAt, type Tree } from './tree.ts';

/** The parts of a schema library's issue that are read here. */
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
  readonly issues?: readonly Issue[];
}

/** A schema as this room uses it. */
export interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly issues: readonly unknown[] } };
}

/** What is said of keys that a schema does not know, instead of "unknown key". */
export type KeyNotes = Readonly<Record<string, string>>;

export interface Checked {
  /** The tree without what was wrong, so that the rest can be checked too. */
  readonly tree: Tree;
  readonly problems: readonly Problem[];
  /** Where something was wrong. */
  readonly bad: readonly Path[];
  /** Whether there was too much wrong for the rest to be worth a look. */
  readonly hopeless: boolean;
}

/** Faults after which a document is another one than was meant. */
const MOST = 200;

/** Checks a tree's shape. `keysAt` lists the keys that a schema knows at a path. */
export function checkShape(
  tree: Tree,
  schema: Schema,
  keysAt: (path: Path) => readonly string[],
  notes: KeyNotes = {},
): Checked {
  const problems: Problem[] = [];
  const bad: Path[] = [];
  let current = tree;
  // What is dropped may uncover nothing new but a missing key, hence a second look at most.
  for (let round = 0; round < 3; round++) {
    const outcome = schema.safeParse(plain(current));
    if (outcome.success) break;
    for (const issue of (outcome.error!.issues as readonly Issue[]).flatMap((one) => simplify(one, current, []))) {
      for (const [path, problem] of problemsOf(issue, current, keysAt, notes)) {
        if (bad.length >= MOST) return { tree, problems, bad, hopeless: true };
        if (bad.some((known) => startsWith(path, known))) continue;
        bad.push(path);
        problems.push(problem);
      }
    }
    for (const path of bad) current = without(current, path);
  }
  return { tree: current, problems, bad, hopeless: false };
}

/** Whether one path lies at or below another. */
export function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((part, index) => String(part) === String(path[index]));
}

/** The issues of the branch of a union that the value was meant for. */
function simplify(issue: Issue, tree: Tree, prefix: Path): Issue[] {
  const path = [...prefix, ...(issue.path as Path)];
  if (issue.code !== 'invalid_union' || issue.errors === undefined) return [{ ...issue, path }];
  const value = at(tree, path);
  const fits = issue.errors.filter(
    (branch) => !branch.some((inner) => inner.path.length === 0 && isOfOtherType(inner, value)),
  );
  const [chosen] = fits.sort((a, b) => a.length - b.length);
  if (chosen !== undefined) return chosen.flatMap((inner) => simplify(inner, tree, path));
  const allowed = issue.errors.flatMap((branch) => branch.filter((inner) => inner.path.length === 0).map(allowedOf));
  const message = isGeneric(issue.message) ? [...new Set(allowed)].join(', ') : issue.message;
  return [{ code: 'invalid_type', path, message }];
}

function isOfOtherType(issue: Issue, value: Tree | undefined): boolean {
  if (issue.code === 'invalid_type') return true;
  return issue.code === 'invalid_value' && value?.kind !== 'scalar';
}

function* problemsOf(
  issue: Issue,
  tree: Tree,
  keysAt: (path: Path) => readonly string[],
  notes: KeyNotes,
): Generator<readonly [Path, Problem]> {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(path);
    for (const key of issue.keys ?? []) {
      const inner = [...path, key];
      const span = keyAt(tree, inner) ?? spanAt(tree, inner);
      const note = noteOf(notes, key);
      const message = note ?? `unknown key "${key}"`;
      const near = note === undefined ? nearest(key, known) : undefined;
      yield [inner, problemAt(span, 'unknown-key', inner, message, { allowed: known.join(', '), nearest: near })];
    }
    return;
  }
  if (issue.code === 'invalid_key') {
    const allowed = (issue.issues ?? []).map(({ message }) => message).join('; ');
    const span = keyAt(tree, path) ?? spanAt(tree, path);
    yield [
      path,
      problemAt(span, 'name', path, `"${String(path.at(-1))}" is no name that can be used here`, { allowed }),
    ];
    return;
  }
  const found = at(tree, path);
  const allowed = allowedOf(issue);
  if (found === undefined) {
    yield [path, problemAt(spanAt(tree, path), 'missing', path, `"${String(path.at(-1))}" is missing`, { allowed })];
    return;
  }
  const value = found.kind === 'scalar' ? found.value : undefined;
  const near =
    typeof value === 'string' && issue.values !== undefined ? nearest(value, issue.values.map(String)) : undefined;
  const code = issue.code === 'invalid_type' ? 'type' : 'value';
  const note = typeof value === 'string' && issue.values !== undefined ? noteOf(notes, value) : undefined;
  yield [
    path,
    problemAt(spanAt(tree, path), code, path, note ?? `found ${describe(found)}`, { allowed, nearest: near }),
  ];
}

/** A key may be called like what every object has: toString. */
function noteOf(notes: KeyNotes, key: string): string | undefined {
  return Object.hasOwn(notes, key) ? notes[key] : undefined;
}

function allowedOf({ message, expected, values }: Issue): string {
  if (!isGeneric(message)) return message;
  if (values !== undefined) return values.map(String).join(', ');
  const words: Readonly<Record<string, string>> = {
    object: 'a map',
    record: 'a map',
    array: 'a list',
    string: 'text',
    int: 'a whole number',
    null: 'nothing',
  };
  return expected === undefined ? 'another value' : (words[expected] ?? `a ${expected}`);
}

function isGeneric(message: string): boolean {
  return message === 'Invalid input' || message.startsWith('Invalid input:');
}

function describe(tree: Tree): string {
  if (tree.kind === 'map') return 'a map';
  if (tree.kind === 'list') return 'a list';
  if (tree.value === null) return 'nothing';
  if (typeof tree.value !== 'string') return `the ${typeof tree.value} ${tree.value}`;
  const text = tree.value.length > 60 ? `${tree.value.slice(0, 57)}…` : tree.value;
  return JSON.stringify(text);
}

function without(tree: Tree, path: Path): Tree {
  const [first, ...rest] = path;
  if (first === undefined) return { kind: 'map', entries: new Map(), span: tree.span };
  if (tree.kind === 'list') {
    const index = Number(first);
    if (rest.length === 0) return { ...tree, items: tree.items.filter((_, position) => position !== index) };
    return { ...tree, items: tree.items.map((item, position) => (position === index ? without(item, rest) : item)) };
  }
  if (tree.kind !== 'map') return tree;
  const entry = tree.entries.get(String(first));
  if (entry === undefined) return tree;
  const entries = new Map(tree.entries);
  if (rest.length === 0) entries.delete(String(first));
  else entries.set(String(first), { key: entry.key, value: without(entry.value, rest) });
  return { ...tree, entries };
}
