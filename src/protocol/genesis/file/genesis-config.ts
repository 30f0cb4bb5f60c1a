import { ETHEREUM_FORKS } from '../../forks/ethereum.ts';
import { FORKS } from '../../forks/index.ts';
import { isMap } from './account-reader.ts';

type Config = Readonly<Record<string, unknown>>;

const CHAIN_KEYS = FORKS.flatMap(({ genesisKey, optional }) => (genesisKey === null || optional ? [] : genesisKey));
const ETHEREUM_KEYS = ETHEREUM_FORKS.flatMap(({ genesisKey }) => genesisKey ?? []);
const RATES = ['eip1559Elasticity', 'eip1559Denominator', 'eip1559DenominatorCanyon'] as const;

/** Tells whether the `config` of a genesis file is a rollup's (op-geth: `ChainConfig.IsOptimism`). */
export function isRollupConfig(config: Config): boolean {
  return config['optimism'] !== undefined && config['optimism'] !== null;
}

/**
 * Returns what is wrong with the `config` of a genesis file, each problem with its key (geth: `CheckConfigForkOrder`).
 * Unknown keys are no problem, because published files have keys of forks before the merge and of other programs.
 */
export function genesisConfigProblems(config: unknown): readonly string[] {
  if (!isMap(config)) return ['config: expected a map with chainId and the times of forks'];
  const chainId = config['chainId'];
  const problems: string[] = [];
  if (!Number.isSafeInteger(chainId) || Number(chainId) < 1)
    problems.push(`config.chainId: expected a whole number from 1${foundOf(chainId)}`);
  const keys = isRollupConfig(config) ? CHAIN_KEYS : ETHEREUM_KEYS;
  const all = isRollupConfig(config) ? [...CHAIN_KEYS, ...ETHEREUM_KEYS] : ETHEREUM_KEYS;
  const wrong = all.filter((key) => !isTime(config[key] ?? 0));
  problems.push(
    ...wrong.map((key) => `config.${key}: expected a whole number of seconds from 0${foundOf(config[key])}`),
  );
  if (wrong.length > 0) return problems;
  problems.push(...orderProblems(config, keys));
  if (isRollupConfig(config)) problems.push(...pairProblems(config), ...rateProblems(config['optimism']));
  return problems;
}

/** Problems of forks that activate before the one below them, or without it. */
function orderProblems(config: Config, keys: readonly string[]): string[] {
  return keys.flatMap((key, index) => {
    const below = keys[index - 1];
    const time = config[key] ?? undefined;
    if (below === undefined || time === undefined) return [];
    const before = config[below] ?? undefined;
    if (before === undefined) return [`config.${below} is missing below config.${key}: forks keep their order`];
    return Number(before) > Number(time)
      ? [`config.${key} is ${time}, before config.${below}, which is ${before}: forks keep their order`]
      : [];
  });
}

/** Problems of Ethereum forks that a fork of the rollup brings (op-geth: `CheckOptimismValidity`). */
function pairProblems(config: Config): string[] {
  return FORKS.flatMap(({ genesisKey, ethereumKey }) => {
    if (genesisKey === null || ethereumKey === null) return [];
    const [rollupTime, ethereum] = [config[genesisKey] ?? undefined, config[ethereumKey] ?? undefined];
    if (ethereum === undefined || rollupTime === ethereum) return [];
    const other = rollupTime === undefined ? 'absent' : String(rollupTime);
    return [`config.${ethereumKey} is ${ethereum}, config.${genesisKey} is ${other}: expected one time for both`];
  });
}

function rateProblems(optimism: unknown): string[] {
  if (!isMap(optimism)) return ['config.optimism: expected a map with eip1559Elasticity and eip1559Denominator'];
  return RATES.flatMap((key) => {
    const value = optimism[key];
    if (key === 'eip1559DenominatorCanyon' && (value === undefined || value === null)) return [];
    if (Number.isSafeInteger(value) && Number(value) >= 1) return [];
    return [`config.optimism.${key}: expected a whole number from 1${foundOf(value)}`];
  });
}

const isTime = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;

const foundOf = (value: unknown) => (value === undefined ? '' : `, found ${JSON.stringify(value)?.slice(0, 80)}`);
