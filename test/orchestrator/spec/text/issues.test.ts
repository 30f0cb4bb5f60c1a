import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { checkShape, startsWith } from '../../../../src/orchestrator/spec/text/issues.ts';
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

it.each([
  [['a', 'b'], ['a'], true],
  [['a'], ['a'], true],
  [['a'], [], true],
  [['a'], ['a', 'b'], false],
  [['b', 'a'], ['a'], false],
  [['a', 0], ['a', '0'], true],
])('the path %j starts with %j: %s', (path, prefix, starts) => {
  expect(startsWith(path, prefix)).toBe(starts);
});
