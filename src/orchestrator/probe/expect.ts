import { type Finding, mismatch, OK } from './probe.ts';

/** Compares an answer with what is expected at each path (`a.b.0`; '' is the answer itself). Hex compares without case. */
export function matches(answer: unknown, expected: Readonly<Record<string, unknown>>): Finding {
  for (const [path, value] of Object.entries(expected)) {
    const found = at(answer, path);
    if (!same(found, value))
      return mismatch(`${path === '' ? 'answers' : `${path} is`} ${show(found)}, expected ${show(value)}`);
  }
  return OK;
}

/** The value at a dotted path, undefined where the path leads nowhere. */
function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path.split('.').reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as Record<string, unknown>)[key];
  }, value);
}

function same(found: unknown, expected: unknown): boolean {
  if (typeof found === 'string' && typeof expected === 'string')
    return /^0x[0-9a-f]*$/i.test(expected) ? found.toLowerCase() === expected.toLowerCase() : found === expected;
  // Some APIs spell integers as strings (the beacon API does, because of 64-bit values).
  if (typeof found === 'string' && typeof expected === 'number') return found === String(expected);
  if (typeof expected === 'object' && expected !== null) return JSON.stringify(found) === JSON.stringify(expected);
  return found === expected;
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
