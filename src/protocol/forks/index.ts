import type { ForcedCode } from '../execution/create2-deployer.ts';
import type { Hex, RollupConfig } from '../types.ts';
import { readTimes, writeTimes } from './config.ts';
import { createForks, type Forks, type Schedule } from './create.ts';
import type { Fork as AnyFork, KeepGasKey } from './fork.ts';
import * as list from './list.ts';
import { type UpgradeBundles, upgradeDeposits, upgradeGasOf } from './upgrade.ts';

/** Name of a fork (op-core: `forks.Name`). */
export type ForkName = (typeof list)[keyof typeof list]['name'];
/** A fork of the list. */
export type Fork = AnyFork<ForkName>;
/** Activation times by fork, Unix seconds; absent: never. Bedrock is always active. */
export type ForkSchedule = Schedule<ForkName>;
export type { UpgradeBundles } from './upgrade.ts';

const { bedrock, ...others } = list;
const forks: Forks<ForkName> = createForks<ForkName>(bedrock, Object.values(others));

/** All forks in order of activation, optional ones last. */
export const FORKS: readonly Fork[] = forks.list;

/** Keys of rollup.json by which a chain keeps the gas of a fork's upgrade transactions in its gas limit. */
export const KEEP_GAS_KEYS: readonly KeepGasKey[] = FORKS.flatMap(({ upgrade }) => upgrade?.keepGasKey ?? []);

/** See {@link Forks}. */
export const { rulesAt, activatesAt, l1AttributesAt, orderProblems, isActive, find: findFork } = forks;

/** The fork at genesis of a chain that names none. */
export const DEFAULT_BASE: ForkName = list.jovian.name;

/** Forks with an override option in op-node and op-geth, for which this list has no rules. */
export const RESERVED_FORKS: readonly string[] = ['lagoon'].filter((name) => findFork(name) === undefined);

/** Reads the fork times of rollup.json (op-node: `rollup.Config`, kona: `HardForkConfig`). Unknown keys are ignored. */
export function scheduleOf(config: RollupConfig): ForkSchedule {
  return readTimes(FORKS, config as unknown as Record<string, unknown>, (fork) => fork.rollupKey);
}

/**
 * Reads the fork times of genesis.json's `config` (op-geth: `ChainConfig`). Forks that only the rollup node knows are
 * absent.
 */
export function scheduleOfGenesis(config: Readonly<Record<string, unknown>>): ForkSchedule {
  return readTimes(FORKS, config, (fork) => fork.genesisKey);
}

/** Makes the `<fork>_time` entries of rollup.json. */
export function rollupConfigTimes(schedule: ForkSchedule): Record<`${string}_time`, number> {
  return writeTimes(FORKS, schedule, (fork) => fork.rollupKey);
}

/** Makes `bedrockBlock`, `<fork>Time` and the Ethereum forks' times for genesis.json's `config`. */
export function genesisConfigTimes(schedule: ForkSchedule): Record<string, number> {
  return {
    bedrockBlock: 0,
    ...writeTimes(FORKS, schedule, (fork) => fork.genesisKey),
    ...writeTimes(FORKS, schedule, (fork) => fork.ethereumKey),
  };
}

/**
 * Returns the encoded upgrade deposits of the block at `time`; empty if no fork activates (op-node:
 * `UpgradeTransactions`).
 * @throws ProtocolError bundle-missing
 */
export function upgradeTransactions(
  schedule: ForkSchedule,
  time: number,
  blockTime: number,
  bundles: UpgradeBundles,
): Hex[] {
  return upgradeDeposits(activatesAt(schedule, time, blockTime), bundles);
}

/**
 * Returns the gas that upgrade transactions add to the gas limit of the block at `time` (op-node: `UpgradeGas`).
 * @throws ProtocolError bundle-missing
 */
export function upgradeGas(schedule: ForkSchedule, time: number, blockTime: number, bundles: UpgradeBundles): number {
  return upgradeGasOf(activatesAt(schedule, time, blockTime), bundles);
}

/**
 * Returns the part of `upgradeGas` that the gas limit of the next block is without (kona: `upgrade_gas_to_strip`).
 * It is all of the gas, except for a fork whose gas the chain keeps by rollup.json.
 * @throws ProtocolError bundle-missing
 */
export function upgradeGasToStrip(
  config: RollupConfig,
  schedule: ForkSchedule,
  time: number,
  bundles: UpgradeBundles,
): number {
  const isStripped = ({ upgrade }: Fork) => upgrade?.keepGasKey === undefined || config[upgrade.keepGasKey] !== true;
  return upgradeGasOf(activatesAt(schedule, time, config.block_time).filter(isStripped), bundles);
}

/** Returns the forks that need an upgrade bundle because they activate after genesis. */
export function forksNeedingBundle(schedule: ForkSchedule, genesisTime: number): Fork[] {
  return FORKS.filter((fork) => fork.upgrade !== null && (schedule[fork.name] ?? 0) > genesisTime);
}

/** Tells whether the sequencer must leave the pool out of the block at `time`, because a fork activates with it. */
export function noTxPoolAt(schedule: ForkSchedule, time: number, blockTime: number): boolean {
  return activatesAt(schedule, time, blockTime).some(({ activation }) => activation.noTxPool);
}

/** Tells whether a batch for the block at `time` must have no transactions, because a fork activates with it. */
export function emptyBatchAt(schedule: ForkSchedule, time: number, blockTime: number): boolean {
  return activatesAt(schedule, time, blockTime).some(({ activation }) => activation.emptyBatch);
}

/**
 * Returns the code that the execution engine sets before the transactions of the block at exactly `time`.
 * Counterpart in op-geth: `EnsureCreate2Deployer`.
 */
export function forcedCodeAt(schedule: ForkSchedule, time: bigint): ForcedCode[] {
  return FORKS.flatMap(({ name, activation }) =>
    activation.forcedCode !== null && schedule[name] === Number(time) ? [activation.forcedCode] : [],
  );
}
