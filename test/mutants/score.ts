import type { EquivalentMutant } from './equivalent.ts';

/** What became of one mutant. */
export interface Outcome {
  /** Source file, from the root of the clone. */
  readonly file: string;
  /** First line of the changed source, from 1. */
  readonly line: number;
  /** That line's text, without indentation. */
  readonly text: string;
  /** The changed part of the source, spaces folded. */
  readonly was: string;
  /** What it becomes, spaces folded. */
  readonly becomes: string;
  readonly state: 'killed' | 'survived' | 'unreached' | 'ignored';
}

export interface Score {
  readonly file: string;
  readonly killed: number;
  /** Mutants that count: neither ignored nor equivalent. */
  readonly counted: number;
  readonly equivalent: number;
}

export interface Result {
  readonly survivors: readonly Outcome[];
  readonly scores: readonly Score[];
  /** Entries of the list that name no surviving mutant of a file that was run. */
  readonly stale: readonly (EquivalentMutant & { readonly file: string })[];
}

type Equivalents = Readonly<Record<string, readonly EquivalentMutant[]>>;

const names = (entry: EquivalentMutant, { text, was, becomes }: Outcome): boolean =>
  entry.line === text && entry.change === `${was} ⇒ ${becomes}`;

/** Subtracts equivalent mutants from those that live, and counts the others by file. */
export function resultOf(outcomes: readonly Outcome[], equivalents: Equivalents): Result {
  const lives = outcomes.filter(({ state }) => state === 'survived' || state === 'unreached');
  const isEquivalent = (outcome: Outcome) => (equivalents[outcome.file] ?? []).some((entry) => names(entry, outcome));
  const files = [...new Set(outcomes.map(({ file }) => file))].sort();
  const scores = files.map((file) => {
    const killed = outcomes.filter((outcome) => outcome.file === file && outcome.state === 'killed').length;
    const living = lives.filter((outcome) => outcome.file === file);
    const equivalent = living.filter(isEquivalent).length;
    return { file, killed, counted: killed + living.length - equivalent, equivalent };
  });
  const stale = files.flatMap((file) =>
    (equivalents[file] ?? [])
      .filter((entry) => !lives.some((outcome) => outcome.file === file && names(entry, outcome)))
      .map((entry) => ({ ...entry, file })),
  );
  return { survivors: lives.filter((outcome) => !isEquivalent(outcome)), scores, stale };
}

/** Percentage of mutants that tests kill. A file without any is whole. */
export const percentOf = ({ killed, counted }: Pick<Score, 'killed' | 'counted'>): number =>
  counted === 0 ? 100 : (100 * killed) / counted;

/** Adds the scores of several files. */
export function sumOf(scores: readonly Score[], file: string): Score {
  const add = (key: 'killed' | 'counted' | 'equivalent') => scores.reduce((sum, score) => sum + score[key], 0);
  return { file, killed: add('killed'), counted: add('counted'), equivalent: add('equivalent') };
}
