import type { ForkSchedule } from '../../../protocol/forks/index.ts';
import type { ExtraAlloc } from '../../../protocol/genesis/extra-alloc.ts';
import type { GenesisFunds } from '../../../protocol/genesis/funds.ts';
import type { RollupConfig } from '../../../protocol/types.ts';
import type { ClientFacts, ClientKind } from '../resolve/client.ts';
import type { Resolved } from '../resolve/resolve.ts';
import type { Path } from '../schema/json.ts';
import type { ChainSpec, Spec } from '../schema/types.ts';
import type { ForkClock } from '../schema/values.ts';
import type { ProblemCode } from '../text/problem.ts';

/** The machine that will run the network, as far as checks ask it. */
export interface Machine {
  /** Parses a JSON file by `parse`. @throws Failure naming the path */
  readJson(path: string, parse: (text: string) => unknown): unknown;
  /** Returns why a program, given by its path or its name on the PATH, cannot be executed. */
  programFault(program: string): string | undefined;
}

/** Contents of the files that a spec names, by absolute path. */
export interface SpecFiles {
  readonly rollupConfigs: Record<string, RollupConfig>;
  /** `config` of genesis files. */
  readonly genesisConfigs: Record<string, Readonly<Record<string, unknown>>>;
  /** What their states have. */
  readonly genesisFunds: Record<string, GenesisFunds>;
  /** Texts of upgrade bundles. */
  readonly bundleTexts: Record<string, string>;
  /** Accounts of the user's own. */
  readonly allocs: Record<string, ExtraAlloc>;
}

/** What a semantic check sees, and how it reports. */
export interface CheckContext extends Resolved {
  readonly spec: Spec;
  /** The clients that the spec uses. */
  readonly clients: ReadonlyMap<string, ClientFacts>;
  /** Absent if a spec is checked without a machine that will run it. */
  readonly machine: Machine | undefined;
  /** Filled by the checks that read files. */
  readonly files: SpecFiles;
  /** The package's clients of a kind. */
  candidates(kind: ClientKind): readonly string[];
  /** Returns the role of a chain that has a private key. */
  roleOfKey(chainId: number, key: string): string | undefined;
  /** Forks for which the package has an upgrade bundle, and whose bytecode that is. */
  readonly bundles: Readonly<Record<string, { readonly origin: string }>>;
  /** Whether the user's own text says something at a path. */
  isGiven(path: Path): boolean;
  /** Whether nothing at or below a path was wrong already. */
  isSound(path: Path): boolean;
  clock(chain: ChainSpec): ForkClock;
  /** That of the forks of L1. */
  readonly l1Clock: ForkClock;
  schedule(chain: ChainSpec): ForkSchedule;
  /** At the first of the paths that the user's own text has. */
  report(paths: Path | readonly [Path, ...Path[]], code: ProblemCode, message: string, more?: More): void;
  /** At the key instead of the value. */
  reportKey(path: Path, code: ProblemCode, message: string, more?: More): void;
}

interface More {
  readonly allowed?: string | undefined;
  readonly nearest?: string | undefined;
  /** Places of other values that the problem follows from. With a fault at one of them it is not reported. */
  readonly premises?: readonly Path[];
}

/** Returns the places at which a node may stand in the text: that of its name, or of a `count`. */
export function placesOfNode(chain: string, node: string): readonly Path[] {
  return [node, node.replace(/-\d+$/, '')].map((key) => ['chains', chain, 'nodes', key]);
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
