import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { checkShape } from '../../../../src/orchestrator/spec/text/issues.ts';
import { parseYaml } from '../../../../src/orchestrator/spec/text/yaml.ts';

const schema = z.strictObject({
  name: z.string(),
  chain: z.exactOptional(z.strictObject({ time: z.number(), kind: z.exactOptional(z.enum(['a', 'b'])) })),
});

/** Checks a document, and returns the problems as text. */
function check(text: string) {
  const { layer } = parseYaml({ name: 'my.yaml', text });
  if (layer === undefined) throw new Error(`no YAML: ${text}`);
  const { value, output, problems, bad } = checkShape(layer.document.toJS() as Json, [layer], schema);
  return { value, output, bad, messages: problems.map(({ path, message }) => `${path}: ${message}`) };
}

describe('the shape of a document', () => {
  it('is what the schema reads when it has no fault', () => {
    expect(check('name: n\nchain: { time: 1 }')).toEqual({
      value: { name: 'n', chain: { time: 1 } },
      output: { name: 'n', chain: { time: 1 } },
      bad: [],
      messages: [],
    });
  });

  it('loses a fault alone, so that the rest can be checked', () => {
    expect(check('name: n\nchain: { time: 1, kind: c }')).toMatchObject({
      value: { name: 'n', chain: { time: 1 } },
      output: { name: 'n', chain: { time: 1 } },
      bad: [['chain', 'kind']],
    });
    expect(check('name: n\nextra: 1').value).toEqual({ name: 'n' });
  });

  it('loses the map that lacks a key', () => {
    const found = check('name: n\nchain: { kind: a }');
    expect(found).toMatchObject({ value: { name: 'n' }, output: { name: 'n' } });
    expect(found.messages).toEqual(['chain.time: "time" is missing']);
  });

  it('never loses the whole document: it stays when it lacks a key itself', () => {
    const found = check('chain: { time: 1 }');
    expect(found.value).toEqual({ chain: { time: 1 } });
    expect(found.output).toBeUndefined();
    expect(found.messages).toEqual(['name: "name" is missing']);
  });

  it('has each of its faults once', () => {
    const { messages } = check('chain: { time: x, kind: c }\nextra: 1\nother: 2');
    expect(messages.toSorted()).toEqual([
      'chain.kind: found "c"',
      'chain.time: found "x"',
      'extra: unknown key "extra"',
      'name: "name" is missing',
      'other: unknown key "other"',
    ]);
  });
});

describe('a fault of a list', () => {
  const schema = z.strictObject({
    list: z
      .array(z.strictObject({ a: z.number(), b: z.exactOptional(z.number()) }))
      .check(z.refine((list) => list.length !== 1, 'not one')),
    either: z.exactOptional(
      z.union([
        z.strictObject({ kind: z.literal('x'), x: z.number() }),
        z.strictObject({ kind: z.literal('y'), y: z.number(), z: z.number() }),
      ]),
    ),
  });
  const checked = (text: string) => {
    const { layer } = parseYaml({ name: 'my.yaml', text });
    const { problems, output } = checkShape(layer!.document.toJS() as Json, [layer!], schema);
    return { faults: problems.map(({ code, path, message }) => `${code} ${path}: ${message}`), output };
  };

  it('is reported, and not what a check of the list asks for without it', () => {
    expect(checked('list: [{ a: 1 }]').faults).toEqual(['value list: found a list']);
    expect(checked('list: [{ a: 1 }, { a: x }]').faults).toEqual(['type list.1.a: found "x"']);
    expect(checked('list: [{ a: 1, b: x }]').faults).toEqual(['type list.0.b: found "x"']);
  });

  it.each([
    ['[5, { a: 1 }, { a: x }]', ['type list.0: found the number 5', 'type list.2.a: found "x"'], undefined],
    [
      '[5, { a: 1 }, { a: x }, 6, { a: 2 }]',
      ['type list.0: found the number 5', 'type list.2.a: found "x"', 'type list.3: found the number 6'],
      undefined,
    ],
    [
      '[5, { b: x }, { a: 1 }, { a: 2 }]',
      ['type list.0: found the number 5', 'missing list.1.a: "a" is missing', 'type list.1.b: found "x"'],
      { list: [{ a: 1 }, { a: 2 }] },
    ],
  ])('has the place of its item in the document, also when others before it are gone: %s', (list, expected, rest) => {
    const { faults, output } = checked(`list: ${list}`);
    expect([faults.toSorted(), output]).toEqual([expected.toSorted(), rest]);
  });

  it('of a map in it that lacks a key takes the map alone', () => {
    const { faults, output } = checked('list: [{ a: 1 }, { b: 2 }, { a: 3 }]');
    expect(faults).toEqual(['missing list.1.a: "a" is missing']);
    expect(output).toEqual({ list: [{ a: 1 }, { a: 3 }] });
  });

  it('of a union is that of the branch with the fewest unknown keys, then of the one with the fewest faults', () => {
    const either = (text: string) => checked(`list: []\neither: ${text}`).faults;
    expect(either('{ kind: x, x: q }')).toEqual(['type either.x: found "q"']);
    expect(either('{ kind: y, y: 1, z: q }')).toEqual(['type either.z: found "q"']);
  });

  it('of a union is that of the same branch when its faults are gone, with which another branch would fit, too', () => {
    expect(checked('list: []\neither: { kind: y, y: q, z: q }').faults.toSorted()).toEqual([
      'type either.y: found "q"',
      'type either.z: found "q"',
    ]);
  });
});

describe('a fault of a value', () => {
  const one = z.strictObject({ x: z.number() });
  const three = z.strictObject({ x: z.number(), y: z.number(), z: z.number() });
  const AB = 'an a or a b';
  const schema = z.strictObject({
    map: z.exactOptional(z.strictObject({ x: z.strictObject({ y: z.number() }) })),
    near: z.exactOptional(z.union([one, three])),
    far: z.exactOptional(z.union([three, one])),
    open: z.exactOptional(z.union([z.strictObject({ a: z.number() }), z.strictObject({ b: z.number() })], AB)),
    named: z.exactOptional(
      z.record(z.string().check(z.regex(/^[a-z]+$/, 'small letters'), z.maxLength(3, 'three')), z.number()),
    ),
    limit: z.exactOptional(z.number().check(z.lte(5))),
    quoted: z.exactOptional(z.string('not Invalid input')),
  });

  it.each<[string, readonly string[]]>([
    ['map: { x: {} }', ['missing map.x.y: "y" is missing, a number']],
    ['near: { x: q, y: q, z: q }', ['x', 'y', 'z'].map((key) => `type near.${key}: found "q", a number`)],
    ['far: { x: q, y: q, z: q }', ['x', 'y', 'z'].map((key) => `type far.${key}: found "q", a number`)],
    ['near: { x: q }', ['type near.x: found "q", a number']],
    ['far: { x: q }', ['type far.x: found "q", a number']],
    ['open: {}', [`type open: found an empty map, ${AB}`]],
    ['open: { a: q }', ['type open.a: found "q", a number']],
    ['open: { b: q }', ['type open.b: found "q", a number']],
    ['named: { ABCD: 1 }', ['name named.ABCD: "ABCD" cannot be used as a name here, small letters; three']],
    ['limit: 9', ['value limit: found the number 9, another value']],
    ['quoted: 5', ['type quoted: found the number 5, not Invalid input']],
  ])('%j is reported once, with what is allowed', (text, faults) => {
    const { layer } = parseYaml({ name: 'my.yaml', text });
    const { problems } = checkShape(layer!.document.toJS() as Json, [layer!], schema);
    expect(problems.map(({ code, path, message, allowed }) => `${code} ${path}: ${message}, ${allowed}`)).toEqual(
      faults,
    );
  });
});
