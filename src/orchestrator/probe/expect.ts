import { type Finding, mismatch, OK, type ProbeContext, type Words } from './probe.ts';

/** Makes the key of the expected values of an answer. */
export function expectKey({ z, key }: Words) {
  return key(
    z.record(z.string('text'), z.union([z.string('text'), z.number(), z.boolean(), z.null()])),
    'path in the answer (`a.b.0`, empty: the answer itself) and its value; hex is compared without case',
  );
}

/** Renders the expected values of a template's probe. */
export function planExpect(
  written: Readonly<Record<string, string | number | boolean | null>> = {},
  { value }: ProbeContext,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(written).map(([path, expected]) => [path, value(expected)]));
}

/** Compares an answer with the value that is expected at each path. Hex compares without case. */
export function matches(answer: unknown, expected: Readonly<Record<string, unknown>>): Finding {
  for (const [path, value] of Object.entries(expected)) {
    const actual = at(answer, path);
    if (!same(actual, value))
      return mismatch(`${path === '' ? 'answers' : `${path} is`} ${show(actual)}, expected ${show(value)}`);
  }
  return OK;
}

/** Finds the value at a dotted path. */
function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path.split('.').reduce<unknown>((inner, part) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, part)) return undefined;
    return Reflect.get(inner, part);
  }, value);
}

function same(actual: unknown, expected: unknown): boolean {
  if (typeof actual === 'string' && typeof expected === 'string')
    return /^0x[0-9a-f]*$/i.test(expected) ? actual.toLowerCase() === expected.toLowerCase() : actual === expected;
  // Some APIs spell integers as strings (the beacon API does, because of 64-bit values).
  if (typeof actual === 'string' && typeof expected === 'number') return actual === String(expected);
  if (typeof expected === 'object' && expected !== null) return JSON.stringify(actual) === JSON.stringify(expected);
  return actual === expected;
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
