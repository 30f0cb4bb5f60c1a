import {
  activatesAt,
  emptyBatchAt,
  type ForkSchedule,
  l1AttributesAt,
  noTxPoolAt,
  rulesAt,
  scheduleOf,
  type UpgradeBundles,
  upgradeGas,
  upgradeGasToStrip,
  upgradeTransactions,
} from '../forks/index.ts';
import { headerBlobSchedule } from '../rules/l1-blob-fee/l1-schedule.ts';
import type { L1BlobSchedule } from '../rules/rules.ts';
import type { RollupConfig } from '../types.ts';
import type { Rollup } from './ports.ts';

/** Inputs of a rollup beside its configuration. */
export interface RollupOptions {
  /** Activation times; those of the configuration if left out. */
  readonly schedule?: ForkSchedule;
  /** Upgrade transactions of the forks that activate after genesis. */
  readonly bundles?: UpgradeBundles;
  /** The blob schedule of the L1 chain's configuration; read off the headers if left out. */
  readonly l1BlobSchedule?: L1BlobSchedule;
}

/** Creates the rollup of a configuration, with its rules by time (op-node: `NewChainSpec`). */
export function rollupOf(config: RollupConfig, options: RollupOptions = {}): Rollup {
  const { schedule = scheduleOf(config), bundles = {}, l1BlobSchedule = headerBlobSchedule } = options;
  const blockTime = config.block_time;
  return {
    config,
    l1BlobSchedule,
    rulesAt: (time) => rulesAt(schedule, time),
    l1AttributesAt: (time) => l1AttributesAt(schedule, Number(time), blockTime),
    activationAt(seconds) {
      const time = Number(seconds);
      if (activatesAt(schedule, time, blockTime).length === 0) return null;
      return {
        transactions: upgradeTransactions(schedule, time, blockTime, bundles),
        gas: upgradeGas(schedule, time, blockTime, bundles),
        gasToStrip: upgradeGasToStrip(config, schedule, time, bundles),
        noTxPool: noTxPoolAt(schedule, time, blockTime),
        emptyBatch: emptyBatchAt(schedule, time, blockTime),
      };
    },
  };
}
