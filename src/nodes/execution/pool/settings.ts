import type { Hex } from '../../../protocol/types.ts';

/** Limits of op-geth's legacypool, per account and in total, in slots of 32 KiB or in transactions. */
export interface SlotLimits {
  readonly kind: 'slots';
  /** Executable transactions that an account may always have. */
  readonly accountSlots: number;
  readonly globalSlots: number;
  readonly accountQueue: number;
  readonly globalQueue: number;
}

/** Limits of one sub-pool (reth: `SubPoolLimit`). */
export interface SubPoolLimit {
  readonly count: number;
  readonly bytes: number;
}

/** Limits of op-reth: per sub-pool, and per account for transactions without a local user's privileges. */
export interface SubPoolLimits {
  readonly kind: 'subpools';
  readonly pending: SubPoolLimit;
  readonly basefee: SubPoolLimit;
  readonly queued: SubPoolLimit;
  readonly accountSlots: number;
}

/** Settings that the options change (geth: `legacypool.Config`, reth: `PoolConfig`). Prices in wei per gas. */
export interface PoolSettings {
  readonly limits: PoolLimits;
  /** Minimum tip. */
  readonly minTip: bigint;
  /** Minimum fee cap. */
  readonly minFeeCap: bigint;
  /** Percent by which a replacement must raise its prices. */
  readonly priceBump: number;
  /** Milliseconds after which a queued transaction is dropped. */
  readonly lifetime: number;
  /** Encoded bytes of a transaction. */
  readonly maxBytes: number;
  /** Maximum gas of a transaction. undefined: only the block's limit applies. */
  readonly maxGas: bigint | undefined;
  /** Maximum fee of a transaction sent to this node, in wei. 0: no limit. */
  readonly feeCap: bigint;
  /** Accepts legacy transactions without replay protection (EIP-155). */
  readonly allowUnprotected: boolean;
  /** Transactions of this node's users have no privileges. */
  readonly noLocals: boolean;
  /** Accounts whose transactions always have a local user's privileges. */
  readonly locals: ReadonlySet<Hex>;
}

/** Limits of a pool, in the form of the flavour. */
export type PoolLimits = SlotLimits | SubPoolLimits;

const ETHER = 10n ** 18n;

/** Defaults that both clients share. */
export const COMMON_SETTINGS = {
  priceBump: 10,
  lifetime: 3 * 60 * 60_000,
  maxBytes: 128 * 1024,
  maxGas: undefined,
  feeCap: ETHER,
  noLocals: false,
  locals: new Set<Hex>(),
} as const;
