import type { Hex } from '../types.ts';
import type { WithdrawalSystem } from './inputs.ts';

/** Hex digits (no `0x`), or a list of hex digits and named slots for a chain's values. */
export type Template = string | readonly (string | { readonly slot: string })[];

/** Slot name → hex digits of exactly the slot's width. */
export type SlotValues = Readonly<Record<string, string>>;

/** An account at genesis, its chain-dependent parts left open. */
export interface AccountTemplate {
  readonly name: string;
  /** 20 bytes. */
  readonly address: Template;
  readonly nonce?: number;
  /** Decimal wei. */
  readonly balance?: string;
  /** Index into `codes`. */
  readonly code?: number;
  /** 32-byte key → 32-byte value, hex digits. */
  readonly storage?: Readonly<Record<string, Template>>;
}

/** Changes of the L2 genesis state by a fork: each account replaces the one of the same address below it. */
export interface GenesisLayer {
  readonly fork: string;
  readonly accounts: readonly AccountTemplate[];
}

/** The proxies that stand at every address of the predeploy namespace, unless a layer has an account there. */
export interface ProxyNamespace {
  readonly code: number;
  /** 20 bytes; the last two are the index. */
  readonly first: string;
  readonly count: number;
  readonly storage: Readonly<Record<string, string>>;
}

/** A well-known development account. Its key is public. */
export interface DevAccount {
  readonly address: Hex;
  readonly privateKey: Hex;
}

/** Roles of a chain, in the order of their derivation indices. */
export const ROLES = ['owner', 'batcher', 'proposer', 'challenger', 'sequencer'] as const;

/** The accounts that act for a chain; `sequencer` signs gossip. */
export type RoleAccounts = Readonly<Record<(typeof ROLES)[number], DevAccount>>;

/** The roots that a genesis header commits to. */
export interface GenesisRoots {
  readonly stateRoot: Hex;
  /** Storage root of the L2ToL1MessagePasser. */
  readonly messagePasserRoot: Hex;
}

/** `dist/contracts.json`: the state that constructors and initializers left in the EVM at build, with named slots. */
export interface GenesisContracts {
  readonly version: 1;
  /** Slot name → bytes. */
  readonly slots: Readonly<Record<string, number>>;
  readonly codes: readonly Template[];
  readonly l1: {
    /** Implementations and public factories, the same for every chain of an L1. */
    readonly shared: readonly AccountTemplate[];
    /** Proxies and admin contracts of every chain; their addresses are slots `l1.<Name>`. */
    readonly perChain: readonly AccountTemplate[];
    /** Further contracts of a chain, by its system of withdrawals. */
    readonly systems: Readonly<Record<WithdrawalSystem, readonly AccountTemplate[]>>;
  };
  readonly l2: {
    readonly namespace: ProxyNamespace;
    /** Number of addresses from 0 up that hold 1 wei: the precompiles. */
    readonly precompiles: number;
    /** Oldest first. */
    readonly layers: readonly GenesisLayer[];
    /** Roots of usual genesis states, by `l2StateKey`. */
    readonly roots: Readonly<Record<string, GenesisRoots>>;
  };
  readonly accounts: {
    /** Extended private key at m/44'/60', from which role accounts derive. */
    readonly extendedKey: string;
    readonly dev: readonly DevAccount[];
    /** Role accounts of chains with usual ids, derived beforehand. */
    readonly roles: Readonly<Record<string, RoleAccounts>>;
  };
}
