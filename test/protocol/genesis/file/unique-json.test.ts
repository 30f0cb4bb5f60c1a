import { describe, expect, it } from 'vitest';
import { parseUniqueJson, UnclearJson } from '../../../../src/protocol/genesis/file/unique-json.ts';

const faultOf = (text: string): unknown => {
  try {
    return parseUniqueJson(text);
  } catch (error) {
    return error;
  }
};

describe('JSON with unique keys', () => {
  it.each(['1', '[]', '{}', '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', '{"a":{"b":1},"b":{"a":1}}'])(
    'is parsed: %s',
    (text) => {
      expect(parseUniqueJson(text)).toEqual(JSON.parse(text));
    },
  );

  it('is parsed with a reviver', () => {
    expect(parseUniqueJson('{"a":1,"b":2}', (key, value) => (key === 'a' ? 'one' : value))).toEqual({ a: 'one', b: 2 });
  });

  it.each([
    ['{"a":1,"a":2}', 'line 1, column 8: the key "a"'],
    ['{\n "a":1,\n\n  "a":1}', 'line 4, column 3: the key "a"'],
    ['{"a":{"b":1,"c":2,"b":3}}', 'line 1, column 19: the key "a.b"'],
    ['[{"a":1},{"x":{},"x":1}]', 'line 1, column 18: the key "1.x"'],
    ['{"a":{"a":1},"a":1}', 'line 1, column 14: the key "a"'],
    [`{"${'k'.repeat(200)}":1,"${'k'.repeat(200)}":1}`, `the key "${'k'.repeat(120)}" stands`],
  ])('is refused with the place of a key that stands twice: %s', (text, words) => {
    const fault = faultOf(text);
    expect(fault).toBeInstanceOf(UnclearJson);
    expect(fault).toBeInstanceOf(SyntaxError);
    expect(String(fault)).toContain(words);
    expect(String(fault)).toContain('stands here twice');
  });

  it('is refused when it is no JSON or too deep', () => {
    expect(faultOf('{"a":1,"a":')).toBeInstanceOf(SyntaxError);
    expect(faultOf('{"a":1,"a":')).not.toBeInstanceOf(UnclearJson);
    const deep = faultOf(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(deep).toBeInstanceOf(UnclearJson);
    expect(String(deep)).toContain('nested too deeply');
  });

  it('passes on what a reviver throws', () => {
    const failing = () => {
      throw new TypeError('refused');
    };
    expect(() => parseUniqueJson('1', failing)).toThrow(TypeError);
  });
});
