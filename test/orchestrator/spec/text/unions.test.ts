import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { checkShape, type KeyNotes } from '../../../../src/orchestrator/spec/text/issues.ts';
import { parseYaml, plainOf } from '../../../../src/orchestrator/spec/text/yaml.ts';

const LETTER = 'an a or a b';
const schema = z.strictObject({
  letter: z.exactOptional(z.enum(['alpha', 'beta'])),
  text: z.exactOptional(z.string()),
  count: z.exactOptional(z.int()),
  list: z.exactOptional(z.array(z.number())),
  none: z.exactOptional(z.null()),
  flag: z.exactOptional(z.boolean()),
  short: z.exactOptional(z.string('text').check(z.maxLength(70, 'at most 70 letters'))),
  named: z.exactOptional(z.record(z.string().check(z.regex(/^[a-z]+$/, 'small letters')), z.number())),
  either: z.exactOptional(z.union([z.string(), z.strictObject({ x: z.number(), y: z.exactOptional(z.number()) })])),
  kinds: z.exactOptional(
    z.union([z.strictObject({ one: z.number() }), z.strictObject({ two: z.number(), three: z.number() })]),
  ),
  words: z.exactOptional(z.union([z.enum(['on', 'off']), z.int()])),
  noted: z.exactOptional(z.union([z.enum(['a', 'b']), z.int()], LETTER)),
});

/** The problems of a document, and its value without their faults. */
function check(text: string, notes: KeyNotes = {}) {
  const { layer } = parseYaml({ name: 'x', text });
  const { problems, value, output } = checkShape(plainOf(layer!), [layer!], schema, notes);
  return { problems, value, output };
}

/** The library's English is a setting of the process: a program that loads all of the library has it. */
describe.each([
  ['without the library’s English', {}],
  ['with the library’s English', z.locales.en()],
])('a fault of a value %s', (_, locale) => {
  const before = z.config().localeError;
  beforeEach(() => void z.config({ localeError: undefined, ...locale }));
  afterEach(() => void z.config({ localeError: before }));

  it.each([
    ['letter: gamma', 'value 1:9 letter', 'found "gamma"', 'alpha, beta'],
    ['letter: [1]', 'value 1:1 letter', 'found a list', 'alpha, beta'],
    ['text: 5', 'type 1:7 text', 'found the number 5', 'text'],
    ['text:', 'type 1:6 text', 'found nothing', 'text'],
    ['count: x', 'type 1:8 count', 'found "x"', 'a number'],
    ['count: 1.5', 'type 1:8 count', 'found the number 1.5', 'a whole number'],
    ['list: {}', 'type 1:1 list', 'found a map', 'a list'],
    ['list: [1, x]', 'type 1:11 list.1', 'found "x"', 'a number'],
    ['none: 1', 'type 1:7 none', 'found the number 1', 'nothing'],
    ['flag: 1', 'type 1:7 flag', 'found the number 1', 'a boolean'],
    ['named: 1', 'type 1:8 named', 'found the number 1', 'a map'],
    ['short: true', 'type 1:8 short', 'found the boolean true', 'text'],
    ['named: { A: 1 }', 'name 1:10 named.A', '"A" cannot be used as a name here', 'small letters'],
    [`short: ${'x'.repeat(71)}`, 'value 1:8 short', `found "${'x'.repeat(57)}…"`, 'at most 70 letters'],
    ['either: 5', 'type 1:9 either', 'found the number 5', 'text, a map'],
    ['either: { x: q }', 'type 1:14 either.x', 'found "q"', 'a number'],
    ['either: { x: 1, z: 2 }', 'unknown-key 1:17 either.z', 'unknown key "z"', 'x, y'],
    ['either: {}', 'missing 1:1 either.x', '"x" is missing', 'a number'],
    ['kinds: { one: q }', 'type 1:15 kinds.one', 'found "q"', 'a number'],
    ['words: offf', 'value 1:8 words', 'found "offf"', 'on, off'],
    ['words: [on]', 'type 1:1 words', 'found a list', 'on, off, a number'],
    ['noted: c', 'value 1:8 noted', 'found "c"', 'a, b'],
    ['noted: {}', 'type 1:1 noted', 'found an empty map', LETTER],
    ['noted: { a: 1, b: 2, c: 3, d: 4 }', 'type 1:1 noted', 'found a map with "a", "b", "c"', LETTER],
  ])('%j has its kind, its place, and what is allowed', (text, place, message, allowed) => {
    const found = check(text).problems.map((problem) => ({
      place: `${problem.code} ${problem.line}:${problem.column} ${problem.path}`,
      message: problem.message,
      allowed: problem.allowed,
    }));
    expect(found).toEqual([{ place, message, allowed }]);
  });

  it.each([
    ['letter: alfa', undefined],
    ['letter: alpho', 'alpha'],
    ['words: offf', 'off'],
    ['countt: 1', 'count'],
    ['text: alpha', undefined],
  ])('%j has the nearest word %s', (text, nearest) => {
    expect(check(text).problems[0]?.nearest).toBe(nearest);
  });

  it('text of 60 letters is shown whole', () => {
    expect(check(`count: ${'x'.repeat(60)}`).problems[0]?.message).toBe(`found "${'x'.repeat(60)}"`);
    expect(check(`count: ${'x'.repeat(61)}`).problems[0]?.message).toBe(`found "${'x'.repeat(57)}…"`);
  });
});

describe('a note', () => {
  const notes = { coumt: 'say count', gamma: 'gamma went away' };

  it('stands instead of the message of a key or a word, and of the nearest one', () => {
    const { problems } = check('coumt: 1\nletter: gamma\ntoString: 1', notes);
    expect(problems.map(({ message, nearest }) => [message, nearest])).toEqual([
      ['gamma went away', undefined],
      ['say count', undefined],
      ['unknown key "toString"', undefined],
    ]);
  });
});

describe('a document with many faults', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}: 1`).join('\n');

  it('is checked up to 200 of them', () => {
    const most = check(keys(200));
    expect(most.problems).toHaveLength(200);
    expect(most.output).toEqual({});
    const more = check(keys(201));
    expect(more.problems).toHaveLength(200);
    expect(more.output).toBeUndefined();
  });

  it('loses each of them, and the others stay', () => {
    const { value, problems } = check('text: 5\nlist: [1, x, 2]\neither: { x: 1, z: 2 }\nflag: true');
    expect(value).toEqual({ list: [1, 2], either: { x: 1 }, flag: true });
    expect(problems.map(({ path }) => path).toSorted()).toEqual(['either.z', 'list.1', 'text']);
  });
});
