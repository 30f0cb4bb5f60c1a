import type { PoolOptionKey, PoolOptionValues } from '../../pool/options.ts';
import { COMMON_SETTINGS, type PoolSettings, type SlotLimits } from '../../pool/settings.ts';

const SLOT_LIMITS: SlotLimits = {
  kind: 'slots',
  accountSlots: 16,
  globalSlots: 5120,
  accountQueue: 64,
  globalQueue: 1024,
};

/** op-geth's defaults (geth: `legacypool.DefaultConfig`). */
export const GO_SETTINGS: PoolSettings = {
  ...COMMON_SETTINGS,
  limits: SLOT_LIMITS,
  minTip: 1n,
  minFeeCap: 0n,
  allowUnprotected: false,
};

/** Options of op-reth's pool that op-geth lacks. */
export const FOREIGN_TO_GO: readonly PoolOptionKey[] = [
  'poolPendingCount',
  'poolPendingSize',
  'poolBasefeeCount',
  'poolBasefeeSize',
  'poolQueuedCount',
  'poolQueuedSize',
  'poolMaxAccountSlots',
  'poolMinFeeCap',
  'poolMinTip',
  'poolMaxGas',
  'poolMaxBytes',
];

/** Returns op-geth's limits as the options set them. */
export function slotLimitsFrom(values: PoolOptionValues): SlotLimits {
  return {
    kind: 'slots',
    accountSlots: values.poolAccountSlots ?? SLOT_LIMITS.accountSlots,
    globalSlots: values.poolGlobalSlots ?? SLOT_LIMITS.globalSlots,
    accountQueue: values.poolAccountQueue ?? SLOT_LIMITS.accountQueue,
    globalQueue: values.poolGlobalQueue ?? SLOT_LIMITS.globalQueue,
  };
}
