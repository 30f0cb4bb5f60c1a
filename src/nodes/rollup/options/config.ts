import { join } from 'node:path';
import type { KeepGasKey } from '../../../protocol/forks/fork.ts';
import {
  FORKS,
  type ForkSchedule,
  forksNeedingBundle,
  KEEP_GAS_KEYS,
  rollupConfigTimes,
  scheduleOf,
} from '../../../protocol/forks/index.ts';
import { readUpgradeBundle } from '../../../protocol/genesis/file/bundle-file.ts';
import { forkDisorder, readRollupConfig } from '../../../protocol/genesis/file/rollup-file.ts';
import { parseUniqueJson } from '../../../protocol/genesis/file/unique-json.ts';
import type { RollupConfig, UpgradeBundle } from '../../../protocol/types.ts';
import { Failure } from '../../../system/failure.ts';
import { readJson } from '../../../system/files/atomic-write.ts';

/** Reads rollup.json and applies the overrides to its fork times (op-node: `NewRollupConfig`). */
export function loadRollupConfig(path: string, overrides: ForkSchedule, keptGas: KeepGas = {}): RollupConfig {
  const read = readRollupConfig(readJson(path, { parse: parseUniqueJson }));
  if (!read.ok) throw invalid(path, read.problems);
  const config: RollupConfig = { ...read.value, ...rollupConfigTimes(overrides), ...keptGas };
  const disorder = forkDisorder(config);
  if (disorder.length > 0) throw invalid(path, disorder);
  return config;
}

/** Values of the keys by which a chain keeps the gas of a fork's upgrade transactions in its gas limit. */
export type KeepGas = Readonly<Partial<Record<KeepGasKey, boolean>>>;

/** Returns the option that replaces such a key: `override.keep-karst-upgrade-gas`. */
export const keepGasOption = (key: KeepGasKey): string => `override.${key.replaceAll('_', '-')}`;

/** Returns the given values of those options (op-node: `applyOverrides`). */
export function keepGasOverridesOf(values: Readonly<Record<string, unknown>>): KeepGas {
  return Object.fromEntries(
    KEEP_GAS_KEYS.flatMap((key) => {
      const value = values[keepGasOption(key)];
      return typeof value === 'boolean' ? [[key, value] as const] : [];
    }),
  );
}

/** Returns the fork overrides among the option values: those of `override.<fork>` (op-node: `applyOverrides`). */
export function overridesOf(values: Readonly<Record<string, unknown>>): ForkSchedule {
  return Object.fromEntries(
    FORKS.flatMap(({ name, override }) =>
      override !== null && typeof values[override] === 'number' ? [[name, values[override]] as const] : [],
    ),
  );
}

/** Reads the upgrade bundles of the forks that activate after genesis: `<fork>.json` in a folder. */
export function loadBundles(config: RollupConfig, folder: string | undefined): Record<string, UpgradeBundle> {
  return Object.fromEntries(
    forksNeedingBundle(scheduleOf(config), config.genesis.l2_time).map(({ name }) => {
      if (folder === undefined)
        throw new Failure(
          'upgrade-bundle',
          `${name} activates after genesis and its upgrade transactions are not known`,
          {
            hint: `give the folder with ${name}.json: --rollup.upgrade-bundles=<folder>`,
            data: { fork: name },
          },
        );
      const path = join(folder, `${name}.json`);
      const read = readUpgradeBundle(readJson(path, { parse: parseUniqueJson }));
      if (read.ok) return [name, read.value];
      throw new Failure('upgrade-bundle', `${path} is not an upgrade bundle: ${read.problems[0]}`, {
        data: { fork: name, path },
      });
    }),
  );
}

function invalid(path: string, problems: readonly string[]): Failure {
  return new Failure(
    'rollup-config',
    `${path} is not a rollup configuration that this node can follow:\n  ${problems.join('\n  ')}`,
    {
      data: { path, problems },
    },
  );
}
