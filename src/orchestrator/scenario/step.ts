import * as z from 'zod/mini';
import type { Json, Path } from '../spec/schema/json.ts';
import type { Facts } from './facts.ts';
import type { Run } from './run.ts';

/** What a step found, as plain JSON. Later steps read it by the step's name. */
export type Evidence = Readonly<Record<string, unknown>>;

/** One kind of step: its schema, its checks before the start, and its action. */
export interface StepKind {
  readonly name: string;
  /** One sentence for the schema and the page of all steps. */
  readonly summary: string;
  readonly schema: z.ZodMiniType;
  /** Keys of its evidence that later steps may refer to. */
  readonly gives: readonly string[];
  /** Path below its value of a list of further steps. */
  readonly inner: Path | undefined;
  /** Reports what can never come true. */
  check(value: Json, facts: Facts): void;
  /** Does it. @throws where it fails */
  run(value: Json, run: Run): Promise<Evidence>;
}

/** A kind of step in terms of what its schema reads. */
interface Definition<S extends z.ZodMiniType> {
  readonly name: string;
  readonly summary: string;
  readonly schema: S;
  readonly gives?: readonly string[];
  readonly inner?: Path;
  check?(value: z.output<S>, facts: Facts): void;
  run(value: z.output<S>, run: Run): Promise<Evidence>;
}

/** Defines a kind of step. */
export function defineStep<S extends z.ZodMiniType>(definition: Definition<S>): StepKind {
  const { name, summary, schema, gives = [], inner, check, run } = definition;
  return {
    name,
    summary,
    schema,
    gives,
    inner,
    check: (value, facts) => check?.(z.parse(schema, value), facts),
    run: (value, context) => run(z.parse(schema, value), context),
  };
}
