import * as z from 'zod/mini';
import type { Json } from '../spec/schema/json.ts';
import type { Facts } from './facts.ts';
import type { Verdict } from './run.ts';
import type { Run } from './step.ts';

/** One kind of condition of the step `expect`. */
export interface Expectation {
  readonly name: string;
  readonly schema: z.ZodMiniType;
  check(value: Json, facts: Facts): void;
  /** Begins to watch, and returns a function that checks the condition. */
  begin(value: Json, run: Run): Promise<() => Promise<Verdict>>;
}

interface Definition<S extends z.ZodMiniType> {
  readonly name: string;
  readonly schema: S;
  check?(value: z.output<S>, facts: Facts): void;
  begin(value: z.output<S>, run: Run): Promise<() => Promise<Verdict>>;
}

/** Defines a kind of condition. */
export function defineExpectation<S extends z.ZodMiniType>({
  name,
  schema,
  ...definition
}: Definition<S>): Expectation {
  return {
    name,
    schema,
    check: (value, facts) => definition.check?.(z.parse(schema, value), facts),
    begin: (value, run) => definition.begin(z.parse(schema, value), run),
  };
}
