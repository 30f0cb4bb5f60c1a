import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitText } from '../../../src/orchestrator/terminal/fit.ts';

const fit = (columns: number, ...lines: string[]) => fitText(lines.join('\n'), columns).split('\n');

it('a text keeps the lines that fit', () => {
  expect(fit(10, '0123456789', '', '  a  b')).toEqual(['0123456789', '', '  a  b']);
});

it('a line breaks between words, below its last column', () => {
  expect(fit(56, 'alpha  bedrock  block 0  sequencer active, verifier active')).toEqual([
    'alpha  bedrock  block 0  sequencer active, verifier',
    '                         active',
  ]);
});

it('a line breaks below an earlier column, or two columns further in, when the last one is too narrow', () => {
  expect(fit(40, 'alpha  0  0xf39fd6e51aad88f6f4ce  0xac0974bec39a17e36ba4a6b4d2')).toEqual([
    'alpha  0  0xf39fd6e51aad88f6f4ce',
    '          0xac0974bec39a17e36ba4a6b4d2',
  ]);
  expect(fit(32, '  all of this text has one column alone')).toEqual([
    '  all of this text has one',
    '    column alone',
  ]);
});

it('a command in backticks stays whole', () => {
  expect(fit(40, '  ten accounts; `devnet accounts --name x` lists them')).toEqual([
    '  ten accounts;',
    '    `devnet accounts --name x` lists',
    '    them',
  ]);
});

it('a word that fits into no line stays whole', () => {
  expect(fit(12, 'genesis 0x0123456789abcdef here')).toEqual(['genesis', '  0x0123456789abcdef', '  here']);
});

it('a text loses no word', () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '`', ' ', ' ', '\n') }),
      fc.integer({ min: 1 }),
      (text, columns) => {
        expect(words(fitText(text, columns))).toEqual(words(text));
      },
    ),
  );
});
