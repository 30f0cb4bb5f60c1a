import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EQUIVALENT_MUTANTS } from './equivalent.ts';
import { strykerPlugins } from './prose-ignorer.ts';
import { type Outcome, percentOf, resultOf, sumOf } from './score.ts';

const file = 'src/protocol/a.ts';
const mutant = (change: Partial<Outcome>): Outcome => ({
  file,
  line: 7,
  text: 'return a > b ? a : b;',
  was: 'a > b',
  becomes: 'a >= b',
  state: 'survived',
  ...change,
});
const equal = { line: 'return a > b ? a : b;', change: 'a > b ⇒ a >= b', reason: 'both are equal there' };

describe('resultOf', () => {
  it('counts killed mutants against all but those that are ignored or equivalent', () => {
    const outcomes = [
      mutant({}),
      mutant({ was: 'a', becomes: 'a >= b' }),
      mutant({ becomes: 'true', state: 'killed' }),
      mutant({ becomes: '""', state: 'ignored' }),
      mutant({ file: 'src/protocol/b.ts', state: 'unreached' }),
    ];
    const { survivors, scores, stale } = resultOf(outcomes, { [file]: [equal] });
    expect(survivors).toEqual([outcomes[1], outcomes[4]]);
    expect(scores).toEqual([
      { file, killed: 1, counted: 2, equivalent: 1 },
      { file: 'src/protocol/b.ts', killed: 0, counted: 1, equivalent: 0 },
    ]);
    expect(stale).toEqual([]);
    expect(percentOf(sumOf(scores, 'src/protocol'))).toBeCloseTo(100 / 3);
  });

  it('finds an equivalent mutant on a line that moved', () => {
    expect(resultOf([mutant({ line: 70 })], { [file]: [equal] }).survivors).toEqual([]);
  });

  it('reports an entry when its mutant is killed, or when its line is gone', () => {
    const entries = { [file]: [equal], 'src/protocol/other.ts': [equal] };
    expect(resultOf([mutant({ state: 'killed' })], entries).stale).toEqual([{ ...equal, file }]);
    expect(resultOf([mutant({ text: 'return a > c ? a : c;' })], entries).stale).toEqual([{ ...equal, file }]);
  });
});

describe('the prose ignorer', () => {
  const isIgnored = (node: Parameters<(typeof strykerPlugins)[0]['value']['shouldIgnore']>[0]['node']) =>
    strykerPlugins[0]!.value.shouldIgnore({ node }) !== undefined;
  const template = (...raws: string[]) => ({
    type: 'TemplateLiteral',
    quasis: raws.map((raw) => ({ value: { raw } })),
  });

  it.each([
    ['no bytes', true],
    ['at most: ', true],
    ['eth_call', false],
    ['0x015d8eb9', false],
    [' ', false],
    ['', false],
  ])('keeps the text "%s" when it is prose: %s', (value, prose) => {
    expect(isIgnored({ type: 'StringLiteral', value })).toBe(prose);
    expect(isIgnored(template(value))).toBe(prose);
  });

  it('reads a template over its values', () => {
    expect(isIgnored(template('', ' bytes'))).toBe(true);
    expect(isIgnored(template('0x', ''))).toBe(false);
  });

  it('leaves other nodes alone', () => {
    expect(isIgnored({ type: 'NumericLiteral', value: 1 })).toBe(false);
  });
});

it.each(globSync('equivalent-*.ts', { cwd: import.meta.dirname }))(
  'the list of equivalent mutants in %s is taken, and no other one has its sources',
  async (name) => {
    const lists: Record<string, typeof EQUIVALENT_MUTANTS> = await import(join(import.meta.dirname, name));
    for (const [source, entries] of Object.values(lists).flatMap(Object.entries))
      expect(EQUIVALENT_MUTANTS[source], source).toBe(entries);
  },
);
