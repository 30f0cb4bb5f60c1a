import type { Hex } from '../../../protocol/types.ts';

/** Limits as op-geth sets them: executable transactions and those behind a gap, per account and in all, in units of 32 KiB or transactions. */
export interface SlotLimits {
  readonly kind: 'slots';
  /** Executable transactions that an account may always have. */
  readonly accountSlots: number;
  readonly globalSlots: number;
  readonly accountQueue: number;
  readonly globalQueue: number;
}

export interface SubPoolLimit {
  readonly count: number;
  readonly bytes: number;
}

/** Limits as op-reth sets them: of each subpool, and per account for transactions of others than this node's users. */
export interface SubPoolLimits {
  readonly kind: 'subpools';
  readonly pending: SubPoolLimit;
  readonly basefee: SubPoolLimit;
  readonly queued: SubPoolLimit;
  readonly accountSlots: number;
}

/** What the options set. Prices in wei per gas. */
export interface PoolSettings {
  readonly limits: SlotLimits | SubPoolLimits;
  /** Least tip. */
  readonly minTip: bigint;
  /** Least fee cap. */
  readonly minFeeCap: bigint;
  /** Percent by which a replacement must raise its prices. */
  readonly priceBump: number;
  /** Milliseconds after which a queued transaction is dropped. */
  readonly lifetime: number;
  /** Encoded bytes of a transaction. */
  readonly maxBytes: number;
  /** Gas of a transaction; undefined: the block's limit alone. */
  readonly maxGas: bigint | undefined;
  /** Most that a transaction sent here may pay for gas, wei; 0: no limit. */
  readonly feeCap: bigint;
  /** Takes legacy transactions without replay protection. */
  readonly allowUnprotected: boolean;
  /** This node's users have no privileges. */
  readonly noLocals: boolean;
  /** Accounts whose transactions have a user's privileges, wherever they come from. */
  readonly locals: ReadonlySet<Hex>;
}

const ETHER = 10n ** 18n;
const MEBIBYTE = 1024 * 1024;
const SUBPOOL: SubPoolLimit = { count: 10_000, bytes: 20 * MEBIBYTE };

const COMMON = {
  priceBump: 10,
  lifetime: 3 * 60 * 60_000,
  maxBytes: 128 * 1024,
  maxGas: undefined,
  feeCap: ETHER,
  noLocals: false,
  locals: new Set<Hex>(),
} as const;

/** op-geth's defaults. */
export const GO_SETTINGS: PoolSettings & { readonly limits: SlotLimits } = {
  ...COMMON,
  limits: { kind: 'slots', accountSlots: 16, globalSlots: 5120, accountQueue: 64, globalQueue: 1024 },
  minTip: 1n,
  minFeeCap: 0n,
  allowUnprotected: false,
};

/** op-reth's defaults. */
export const RUST_SETTINGS: PoolSettings & { readonly limits: SubPoolLimits } = {
  ...COMMON,
  limits: { kind: 'subpools', pending: SUBPOOL, basefee: SUBPOOL, queued: SUBPOOL, accountSlots: 16 },
  minTip: 0n,
  minFeeCap: 7n,
  allowUnprotected: true,
};
