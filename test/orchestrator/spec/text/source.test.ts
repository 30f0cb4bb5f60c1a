import fc from 'fast-check';
import { expect, it } from 'vitest';
import { locate } from '../../../../src/orchestrator/spec/text/source.ts';

const at = (text: string, start: number, end: number) => locate({ source: { name: 'x', text }, start, end });

it.each<[string, number, number, [number, number, string, number]]>([
  ['ab\ncd\n', 0, 1, [1, 1, 'ab', 1]],
  ['ab\ncd\n', 0, 99, [1, 1, 'ab', 2]],
  ['ab\ncd\n', 1, 1, [1, 2, 'ab', 1]],
  ['ab\ncd\n', 2, 3, [1, 3, 'ab', 1]],
  ['ab\ncd\n', 3, 5, [2, 1, 'cd', 2]],
  ['ab\ncd\n', 5, 6, [2, 3, 'cd', 1]],
  ['ab\ncd\n', 99, 100, [3, 1, '', 1]],
  ['ab\r\ncd', 0, 4, [1, 1, 'ab', 2]],
  ['a\rb\ncd', 0, 4, [1, 1, 'a\rb', 3]],
  ['\n\nab', 3, 4, [3, 2, 'ab', 1]],
  ['', 0, 1, [1, 1, '', 1]],
])('the text %j has from %i to %i a line, a column, its text and a width', (text, start, end, location) => {
  const { line, column, text: content, width } = at(text, start, end);
  expect([line, column, content, width]).toEqual(location);
});

it('a span begins on the line and in the column that the text before it has', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab\n]{0,12}$/), fc.nat(14), (text, start) => {
      const before = text.slice(0, start).split('\n');
      expect(at(text, start, start + 1)).toMatchObject({
        line: before.length,
        column: (before.at(-1) ?? '').length + 1,
        text: text.split('\n')[before.length - 1],
      });
    }),
  );
});
