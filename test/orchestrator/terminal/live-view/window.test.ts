import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wrapText } from '../../../../src/orchestrator/terminal/live-view/window.ts';

it.each<[string, number, readonly string[]]>([
  ['a row that fits', 15, ['a row that fits']],
  ['a row that breaks between words', 15, ['a row that', '  breaks', '  between words']],
  ['hash=0x4d36507da29a50a5', 10, ['hash=0x4d3', '6507da29a5', '0a5']],
  ['', 10, ['']],
])('a text %j at %i columns has rows of that length at most', (text, columns, rows) => {
  expect(wrapText(text, columns)).toEqual(rows);
});

it('a text is never wider than its window', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '`', ' ') }),
      fc.integer({ min: 1, max: 40 }),
      (text, columns) => {
        expect(Math.max(...wrapText(text, columns).map(({ length }) => length))).toBeLessThanOrEqual(columns);
      },
    ),
  );
});
