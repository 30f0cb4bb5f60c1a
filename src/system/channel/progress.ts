/** A value of a report, and whether one from outside is such a value. */
type Check<T> = (value: unknown) => value is T;

const hash: Check<string | null> = (value) => value === null || typeof value === 'string';
const height: Check<number | null> = (value): value is number | null => value === null || Number.isSafeInteger(value);
const flag: Check<boolean> = (value) => typeof value === 'boolean';
const hashOrNone: Check<string | null | undefined> = (value) => value === undefined || hash(value);

/**
 * Reports of each kind of program when it has no work left at a step of the network's clock. Both ends of the channel
 * read this table. Null: the program has no such block yet.
 */
const REPORTS = {
  /** `l1`: hash of the head that other processes must know before the step ends; absent before L1 announced it. */
  beacon: { l1: hashOrNone, number: height },
  /** `l1`: hash of its L1 head. `derived`: whether all of L1 is derived. `unsafe`, `number`: its unsafe head. */
  rollup: { l1: hash, derived: flag, unsafe: hash, number: height },
  /** Batcher or proposer: nothing is left to send. */
  poster: {},
} as const;

type Kind = keyof typeof REPORTS;

type Report<K extends Kind> = { readonly kind: K } & {
  readonly [Field in keyof (typeof REPORTS)[K]]: (typeof REPORTS)[K][Field] extends Check<infer Value> ? Value : never;
};

/** The report of a program, by its kind. */
export type Progress = { readonly [K in Kind]: Report<K> }[Kind];

/** Whether a value is a report. Any program of this user may have sent it. */
export function isProgress(value: unknown): value is Progress {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !isKind(value.kind)) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries<Check<unknown>>(REPORTS[value.kind]).every(([field, check]) => check(fields.get(field)));
}

function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && Object.hasOwn(REPORTS, value);
}
