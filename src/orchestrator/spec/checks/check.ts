import type { ForkSchedule } from '../../../protocol/forks/index.ts';
import type { ClientFacts, ClientKind } from '../client.ts';
import type { ProblemCode } from '../problem.ts';
import type { Resolved } from '../resolve.ts';
import type { ChainSpec, Spec } from '../spec.ts';
import type { Path } from '../tree.ts';
import type { ForkClock } from '../values.ts';

/** What a semantic check sees, and how it reports. */
export interface CheckContext extends Resolved {
  readonly spec: Spec;
  /** The clients that the spec uses. */
  readonly clients: ReadonlyMap<string, ClientFacts>;
  /** The package's clients of a kind. */
  candidates(kind: ClientKind): readonly string[];
  /** Forks for which the package has an upgrade bundle, and whose bytecode that is. */
  readonly bundles: Readonly<Record<string, { readonly origin: string }>>;
  /** Whether the user's own text says something at a path. */
  isGiven(path: Path): boolean;
  /** Whether nothing at or below a path was wrong already. */
  isSound(path: Path): boolean;
  clock(chain: ChainSpec): ForkClock;
  schedule(chain: ChainSpec): ForkSchedule;
  /** At the first of the paths that the user's own text has. */
  report(paths: Path | readonly [Path, ...Path[]], code: ProblemCode, message: string, more?: More): void;
  /** At the key instead of the value. */
  reportKey(path: Path, code: ProblemCode, message: string, more?: More): void;
}

interface More {
  readonly allowed?: string | undefined;
  readonly nearest?: string | undefined;
}

/** One rule that a spec must keep. */
export type Check = (context: CheckContext) => void;

/** The chains with their names. */
export function chainsOf({ spec }: CheckContext): readonly (readonly [string, ChainSpec])[] {
  return Object.entries(spec.chains);
}

/** The chains whose forks can be reasoned about: said here, and said without a fault. */
export function forkChainsOf(context: CheckContext): readonly (readonly [string, ChainSpec])[] {
  return chainsOf(context).filter(([name, { from }]) => from === null && context.isSound(['chains', name, 'forks']));
}
