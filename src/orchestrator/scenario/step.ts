import * as z from 'zod/mini';
import type { Devnet } from '../devnet/select.ts';
import type { Plan } from '../plan/plan.ts';
import type { Json, Path } from '../spec/schema/json.ts';
import type { Io } from '../terminal/io.ts';
import type { Facts } from './facts.ts';
import type { ScenarioTime } from './time.ts';

export type StepStatus = 'passed' | 'failed' | 'skipped';

/** The outcome of one step. Keys are only ever added. */
export interface StepResult {
  /** Its place in the scenario, from 1; of a step within another one as `4.2`. */
  readonly number: string;
  /** The step as one line. */
  readonly step: string;
  readonly status: StepStatus;
  readonly seconds: number;
  /** What the step found; of a failed one also `error`, the state of every node and the network's problems. */
  readonly evidence: Evidence;
  /** `file:line` */
  readonly at: string;
}

/** A step that was read. Its value still holds references. */
export interface ReadStep {
  readonly kind: StepKind;
  readonly value: Json;
  /** From the root of the scenario to the step. */
  readonly path: Path;
  readonly line: number;
  /** The step as one line. */
  readonly text: string;
  /** The name of its evidence. */
  readonly as: string | undefined;
  /** The steps within it. */
  readonly inner: readonly ReadStep[];
}

/** What a running step can reach. */
export interface Run {
  /** Output for people goes to the step's evidence. */
  readonly io: Io;
  /** The devnet's name. */
  readonly name: string;
  readonly seed: number;
  /** Folder of the scenario's file, from which relative paths start. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The steps within the one that runs. */
  readonly inner: readonly ReadStep[];
  devnet(): Devnet;
  /** The plan as it is now: a restart changes it. */
  plan(): Plan;
  /** How time goes on. */
  readonly time: ScenarioTime;
  /** Factor of the wall time for which a condition is checked once more. Default: 1. */
  readonly patience?: number;
  /** Runs a step within the one that runs. */
  perform(step: ReadStep): Promise<StepResult>;
}

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
  /** Whether its further steps run at the same time: none of them can refer to another. */
  readonly isParallel?: true;
  /** Whether its network needs links that can fail: it is then started with `faults: true`. */
  readonly needsLinks?: true;
  /** Reports what can never come true. */
  check(value: Json, facts: Facts): void;
  /** Does it. @throws if it fails */
  run(value: Json, run: Run): Promise<Evidence>;
}

/** A kind of step in terms of what its schema reads. */
interface Definition<S extends z.ZodMiniType> {
  readonly name: string;
  readonly summary: string;
  readonly schema: S;
  readonly gives?: readonly string[];
  readonly inner?: Path;
  readonly isParallel?: true;
  readonly needsLinks?: true;
  check?(value: z.output<S>, facts: Facts): void;
  run(value: z.output<S>, run: Run): Promise<Evidence>;
}

/** Defines a kind of step. */
export function defineStep<S extends z.ZodMiniType>(definition: Definition<S>): StepKind {
  const { name, summary, schema, gives = [], inner, isParallel, needsLinks, check, run } = definition;
  return {
    name,
    summary,
    schema,
    gives,
    inner,
    ...(isParallel && { isParallel }),
    ...(needsLinks && { needsLinks }),
    check: (value, facts) => check?.(z.parse(schema, value), facts),
    run: (value, context) => run(z.parse(schema, value), context),
  };
}
