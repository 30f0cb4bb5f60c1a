import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderProblems } from '../../../../src/orchestrator/spec/text/problem.ts';
import { parse } from '../../package.ts';

const codes = (text: string) => {
  const outcome = parse(text);
  return outcome.ok ? [] : [...new Set(outcome.problems.map(({ code }) => code))];
};

describe('a hostile document is refused', () => {
  it.each([
    ['of more than 128 kB', `name: x #${' '.repeat(128 * 1024)}`, 'too-large'],
    ['of a hundred megabytes', ' '.repeat(100_000_000), 'too-large'],
    ['nested by brackets', '['.repeat(50_000), 'too-deep'],
    ['nested by braces', `a: ${'{a: '.repeat(70)}1${'}'.repeat(70)}`, 'too-deep'],
    ['nested by dashes', `${'- '.repeat(900)}x`, 'too-deep'],
    [
      'nested by indentation',
      Array.from({ length: 70 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      'too-deep',
    ],
  ])('%s', (_, text, code) => {
    expect(codes(text)).toEqual([code]);
  });

  it('that grows when its aliases are followed', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner =
        level === 0
          ? Array(9).fill('lol').join(', ')
          : Array(9)
              .fill(`*l${level - 1}`)
              .join(', ');
      return `l${level}: &l${level} [${inner}]`;
    });
    expect(codes(levels.join('\n'))).toContain('aliases');
  });

  it('whose alias holds itself', () => {
    expect(codes('chains: &a { main: *a }\n')).toContain('aliases');
  });

  it('that overlays with a merge key', () => {
    expect(codes('<<: { name: x }\n')).toEqual(['unknown-key']);
  });
});

it('a document with many keys is looked through once', () => {
  const text = Array.from({ length: 6000 }, (_, index) => `key-${index}: ${index}`).join('\n');
  expect(codes(text)).toEqual(['unknown-key']);
});

it('brackets in comments and quotes do not count as nesting', () => {
  expect(codes(`name: x # ${'['.repeat(80)}\n`)).toEqual([]);
  expect(codes(`l1: { env: { A: "${'{'.repeat(80)}" } }\n`)).toEqual([]);
});

it('64 levels of nesting are allowed', () => {
  expect(codes(`l1: ${'['.repeat(60)}${']'.repeat(60)}\n`)).toEqual(['type']);
});

it('no text makes the reader throw, and every problem has a position inside the text', () => {
  const piece = fc.constantFrom(
    'chains:',
    'main',
    '{',
    '}',
    '[',
    ']',
    ': ',
    ', ',
    '- ',
    '\n',
    '  ',
    '&a',
    ' *a',
    '"',
    "'",
    '|',
    '#',
    '!x',
    '%',
    '\t',
    '…',
    '\u001b[2J',
    'forks',
    'nodes',
    '1',
    '__proto__',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
      ),
      (text) => {
        const outcome = parse(text);
        if (outcome.ok) return;
        const lines = text.split('\n');
        for (const problem of outcome.problems) {
          expect(problem.line).toBeGreaterThan(0);
          expect(problem.column).toBeGreaterThan(0);
          if (problem.file !== 'my.yaml') continue;
          expect(problem.line).toBeLessThanOrEqual(lines.length);
          expect(problem.column).toBeLessThanOrEqual((lines[problem.line - 1] ?? '').length + 1);
        }
        const output = renderProblems(outcome.problems).replaceAll('\n', '').replaceAll('\t', '');
        expect(output).not.toMatch(/\p{Cc}/u);
      },
    ),
    { numRuns: 300 },
  );
});
