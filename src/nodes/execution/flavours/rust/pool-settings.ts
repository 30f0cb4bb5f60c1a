import type { PoolOptionKey, PoolOptionValues } from '../../pool/options.ts';
import { COMMON_SETTINGS, type PoolSettings, type SubPoolLimit, type SubPoolLimits } from '../../pool/settings.ts';

const MEBIBYTE = 1024 * 1024;
const SUB_POOL: SubPoolLimit = { count: 10_000, bytes: 20 * MEBIBYTE };
const ACCOUNT_SLOTS = 16;

/** op-reth's defaults (reth: `PoolConfig`). */
export const RUST_SETTINGS: PoolSettings = {
  ...COMMON_SETTINGS,
  limits: { kind: 'subpools', pending: SUB_POOL, basefee: SUB_POOL, queued: SUB_POOL, accountSlots: ACCOUNT_SLOTS },
  minTip: 0n,
  minFeeCap: 7n,
  allowUnprotected: true,
};

/** Options of op-geth's pool that op-reth lacks. */
export const FOREIGN_TO_RUST: readonly PoolOptionKey[] = [
  'poolPriceLimit',
  'poolAccountSlots',
  'poolGlobalSlots',
  'poolAccountQueue',
  'poolGlobalQueue',
];

/** Returns op-reth's limits as the options set them. */
export function subPoolLimitsFrom(values: PoolOptionValues): SubPoolLimits {
  const limit = (count = SUB_POOL.count, megabytes = SUB_POOL.bytes / MEBIBYTE): SubPoolLimit => ({
    count,
    bytes: megabytes * MEBIBYTE,
  });
  return {
    kind: 'subpools',
    pending: limit(values.poolPendingCount, values.poolPendingSize),
    basefee: limit(values.poolBasefeeCount, values.poolBasefeeSize),
    queued: limit(values.poolQueuedCount, values.poolQueuedSize),
    accountSlots: values.poolMaxAccountSlots ?? ACCOUNT_SLOTS,
  };
}
