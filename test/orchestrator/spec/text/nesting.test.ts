import { describe, expect, it } from 'vitest';
import { limitProblems } from '../../../../src/orchestrator/spec/text/limits.ts';

/** Problems of a text by code and place. */
const limits = (text: string) =>
  limitProblems({ name: 'x', text }).map(({ code, line, column }) => `${code} ${line}:${column}`);

describe('the size of a document', () => {
  const LIMIT = 131_072;
  it.each([
    ['letters', 'a'.repeat(LIMIT), undefined],
    ['one letter more', 'a'.repeat(LIMIT + 1), LIMIT + 1],
    ['as many letters, one of two bytes', `é${'a'.repeat(LIMIT - 1)}`, LIMIT + 1],
    ['letters of two bytes', 'é'.repeat(LIMIT / 2), undefined],
    ['one letter of two bytes more', 'é'.repeat(LIMIT / 2 + 1), LIMIT + 2],
  ])('is counted in bytes: %s', (_, text, bytes) => {
    expect(limitProblems({ name: 'x', text })).toMatchObject(
      bytes === undefined
        ? []
        : [
            {
              code: 'too-large',
              line: 1,
              column: 1,
              path: '',
              width: 1,
              message: `the document is too large: ${bytes} bytes`,
              allowed: 'at most 131072 bytes',
            },
          ],
    );
  });
});

/** Lines of keys, each one space deeper than the one before. */
const deepening = (count: number, line = 'a:') =>
  Array.from({ length: count }, (_, depth) => `${' '.repeat(depth)}${line}`).join('\n');
const open = (count: number) => '['.repeat(count);

describe('nesting', () => {
  it.each([
    ['64 brackets', open(64), undefined],
    ['65 brackets', open(65), '1:65'],
    ['64 braces', `a: ${'{'.repeat(64)}`, undefined],
    ['65 braces', `a: ${'{'.repeat(65)}`, '1:68'],
    ['brackets and braces', `${'[{'.repeat(32)}[`, '1:65'],
    ['brackets that are closed', '[]{}'.repeat(80), undefined],
    ['brackets after those that are closed', `[]{}[]${open(65)}`, '1:71'],
    ['closing brackets that nothing opened', `x ]]]]${open(65)}`, '1:71'],
    ['63 dashes', `${'- '.repeat(63)}x`, undefined],
    ['64 dashes', `${'- '.repeat(64)}x`, '1:129'],
    ['question marks and colons', `${'? '.repeat(32)}${': '.repeat(32)}x`, '1:129'],
    ['dashes with two spaces', `${'-  '.repeat(64)}x`, '1:193'],
    ['dashes before a word that ends with a hash', `${'- '.repeat(64)}x#`, '1:129'],
    ['dashes without a space', `${'-'.repeat(99)}x`, undefined],
    ['64 lines of one space more each', deepening(64), undefined],
    ['65 lines of one space more each', deepening(65), '65:65'],
    ['63 lines of indented dashes', deepening(63, '- a:'), undefined],
    ['64 lines of indented dashes', deepening(64, '- a:'), '64:66'],
    ['lines side by side', 'a:\n b:\n'.repeat(80), undefined],
    ['dashes side by side', 'a:\n- b\n- c\n'.repeat(80), undefined],
    ['a level that ends', `${deepening(64)}\na:\n b:`, undefined],
    ['brackets below indentation', `${deepening(60)} ${open(6)}`, '60:68'],
    ['fewer brackets below indentation', `${deepening(60)} ${open(5)}`, undefined],
    ['comments and empty lines', Array.from({ length: 99 }, (_, n) => `${' '.repeat(n)}#\n`).join('\n'), undefined],
    ['comments of words', Array.from({ length: 99 }, (_, n) => `${' '.repeat(n)}# a\n`).join(''), undefined],
    ['lines of spaces alone', Array.from({ length: 99 }, (_, n) => `${' '.repeat(n)}\n`).join(''), undefined],
    ['lines within brackets', `[\n${deepening(80, 'a,')}\n]`, undefined],
    ['brackets of several lines', `${`${open(13)}\n`.repeat(5)}`, '5:13'],
    ['tabs', `${'-\t'.repeat(64)}x`, '1:129'],
  ])('of %s', (_, text, place) => {
    expect(limits(text)).toEqual(place === undefined ? [] : [`too-deep ${place}`]);
  });

  it('is reported with what is allowed', () => {
    expect(limitProblems({ name: 'x', text: open(65) })).toMatchObject([
      { path: '', width: 1, message: 'nested deeper than 64 levels', allowed: '64 levels' },
    ]);
  });

  const MANY = open(80);
  it.each([
    ['double quotes', `"${MANY}"`, true],
    ['single quotes', `'${MANY}'`, true],
    ['double quotes after a colon', `a: "${MANY}"`, true],
    ['quotes after a bracket', `["${MANY}"]`, true],
    ['quotes after a brace', `{"${MANY}": 1}`, true],
    ['quotes after a comma', `[a,"${MANY}"]`, true],
    ['quotes after a colon without a space', `{"a":'${MANY}'}`, true],
    ['quotes after a dash', `-"${MANY}"`, true],
    ['a quote within a word', `it's ${MANY}`, false],
    ['a double quote within a word', `a: b"${MANY}`, false],
    ['an escaped quote', `"\\"${MANY}"`, true],
    ['an escaped backslash before the end', `"\\\\" ${MANY}`, false],
    ['a backslash in single quotes', `'\\' ${MANY}`, false],
    ['the other quote within quotes', `"'" ${MANY}`, false],
    ['a quote after quotes', `"a" "${MANY}"`, true],
    ['a comment', `a: 1 # ${MANY}`, true],
    ['a comment after brackets', `[ # ${MANY}\n]`, true],
    ['a comment at the beginning', `# ${MANY}`, true],
    ['a hash within a word', `a#${MANY}`, false],
    ['a hash within quotes', `"#" ${MANY}`, false],
    ['quotes that the line ends', `"a\n${MANY}`, false],
  ])('does not count brackets in quotes and comments: %s', (_, text, isAllowed) => {
    expect(limits(text).length === 0).toBe(isAllowed);
  });
});
