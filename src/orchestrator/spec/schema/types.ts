import type { L1Hardfork } from '../../../protocol/genesis/inputs.ts';
import type { GivenSpec } from './spec.ts';
import type { RUNTIMES } from './words.ts';

export type { OmittedKeys } from './process.ts';

type GivenChain = GivenSpec['chains'][string];
type GivenNode = GivenChain['nodes'][string];
/** In what a process runs. */
export type Runtime = (typeof RUNTIMES)[number];
type ClientChoice = { client: string; runtime: Runtime };

/** How one process is launched. */
export type ProcessSpec = Omit<GivenSpec['l1']['beacon'], keyof ClientChoice> & ClientChoice;

/** A devnet with every default filled in. What planning takes. */
export type Spec = Omit<GivenSpec, 'base' | 'name' | 'l1' | 'chains'> & {
  name: string;
  l1: L1Spec;
  chains: Record<string, ChainSpec>;
};
export type L1Spec = Omit<GivenSpec['l1'], keyof ClientChoice | 'port' | 'beacon' | 'hardfork'> &
  ClientChoice & { hardfork: L1Hardfork; beacon: ProcessSpec };

/** A chain. If it has `from`, its files decide its id, times, gas limit, forks and system config. */
export type ChainSpec = Omit<
  GivenChain,
  'chainId' | 'batcher' | 'proposer' | 'signer' | 'altDa' | 'conductor' | 'peers' | 'nodes'
> & {
  chainId: number;
  batcher: BatcherSpec | null;
  proposer: ProposerSpec | null;
  signer: SignerSpec | null;
  altDa: AltDaSpec | null;
  conductor: ConductorSpec | null;
  /** Its topology: mesh, ring, star, or random:N. */
  peers: string;
  /** In the order of the spec, counted ones expanded. */
  nodes: Record<string, NodeSpec>;
};
export type BatcherSpec = Omit<NonNullable<GivenChain['batcher']>, keyof ClientChoice> & ClientChoice;
type GivenProposer = NonNullable<GivenChain['proposer']>;
export type ProposerSpec = Omit<GivenProposer, keyof ClientChoice | 'interval' | 'gameClock' | 'challenger'> &
  ClientChoice & {
    /** Seconds between two proposals. */
    interval: number;
    /** Seconds that each side of a game has. */
    gameClock: number;
    challenger: ChallengerSpec | null;
  };
export type SignerSpec = Omit<NonNullable<GivenChain['signer']>, keyof ClientChoice> & ClientChoice;
export type AltDaSpec = Omit<NonNullable<GivenChain['altDa']>, keyof ClientChoice> & ClientChoice;
export type ConductorSpec = Omit<NonNullable<GivenChain['conductor']>, keyof ClientChoice> &
  ClientChoice & {
    /** Null: the process leads the set. Else each sequencer has one of its own, and this process stands before them. */
    front: ProcessSpec | null;
  };
export type ChallengerSpec = Omit<NonNullable<GivenProposer['challenger']>, keyof ClientChoice> & ClientChoice;

export type NodeSpec = Omit<GivenNode, 'count' | 'el' | 'cl' | 'peers'> & {
  el: Omit<GivenNode['el'], keyof ClientChoice> & ClientChoice;
  cl: Omit<GivenNode['cl'], keyof ClientChoice> & ClientChoice;
  /** Names of the nodes that this one keeps connected. */
  peers: string[];
};

export type ForksSpec = ChainSpec['forks'];
export type PortPolicy = Spec['ports'];
