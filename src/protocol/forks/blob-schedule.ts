import { present } from '../present.ts';
import type { BlobCounts, Rules } from '../rules/rules.ts';
import type { Seconds } from '../types.ts';
import { ETHEREUM_FORKS, type EthereumFork, type EthereumSchedule, ethereumRulesAt } from './ethereum.ts';

/** The blob counts that a chain states, by fork (EIP-7840). */
export type BlobSchedule = { readonly [name in EthereumFork]?: BlobCounts };

/** The counts that a chain states, and what is wrong with them, each with its key. */
export interface ReadBlobSchedule {
  readonly schedule: BlobSchedule;
  readonly problems: readonly string[];
}

/** Forks with counts of mainnet. Between them a fork has those of the one before it. */
const WITH_COUNTS: readonly EthereumFork[] = ['cancun', 'prague', 'bpo1', 'bpo2'];

/** Forks whose counts a chain has to state (EIP-7892). */
const TO_STATE: readonly EthereumFork[] = ['bpo3', 'bpo4', 'bpo5'];

type Config = Readonly<Record<string, unknown>>;

/** Reads `blobSchedule` of genesis.json's `config` (geth: `BlobScheduleConfig`). Unknown forks are ignored. */
export function readBlobSchedule(config: Config): ReadBlobSchedule {
  const entries = asConfig(config['blobSchedule'] ?? {});
  const schedule: { [name in EthereumFork]?: BlobCounts } = {};
  const problems: string[] = [];
  for (const { name, rules } of ETHEREUM_FORKS) {
    const key = `config.blobSchedule.${name}`;
    const entry = entries[name];
    if (entry == null) {
      if (TO_STATE.includes(name) && config[`${name}Time`] != null)
        problems.push(`${key} is missing: expected its target, max and baseFeeUpdateFraction`);
      continue;
    }
    const { target, max, baseFeeUpdateFraction = Number(rules.ethereum?.blobs?.updateFraction) } = asConfig(entry);
    const numbers = { target, max, baseFeeUpdateFraction };
    const wrong = Object.entries(numbers).filter(([at, value]) => !isCount(value, at === 'target' ? 0 : 1));
    problems.push(...wrong.map(([at]) => `${key}.${at}: expected a whole number from ${at === 'target' ? 0 : 1}`));
    if (wrong.length > 0) continue;
    if (Number(max) < Number(target)) problems.push(`${key}: its max of ${max} blobs is below its target of ${target}`);
    schedule[name] = {
      target: Number(target),
      max: Number(max),
      updateFraction: BigInt(Number(baseFeeUpdateFraction)),
    };
  }
  return { schedule, problems };
}

/**
 * Makes `blobSchedule` of a chain configuration for some forks (EIP-7840, EIP-7892).
 * What `stated` leaves out is as on mainnet.
 */
export function blobScheduleOf(
  forks: readonly EthereumFork[],
  stated: { readonly [name in EthereumFork]?: object | undefined },
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    ETHEREUM_FORKS.filter(({ name }) => forks.includes(name)).map(({ name, rules }) => {
      const { target, max, updateFraction } = present(rules.ethereum?.blobs ?? undefined, `blobs of ${name}`);
      return [name, { target, max, baseFeeUpdateFraction: Number(updateFraction), ...stated[name] }];
    }),
  );
}

/** Returns the function of the rules at a time of an L1 chain that states blob counts (geth: `CalcBlobFee`). */
export function ethereumRulesOf(schedule: EthereumSchedule, blobs: BlobSchedule): (time: Seconds) => Rules {
  const cache = new Map<Rules, Rules>();
  return (time) => {
    const rules = ethereumRulesAt(schedule, time);
    let result = cache.get(rules);
    if (result === undefined) {
      result = withCounts(rules, blobs);
      cache.set(rules, result);
    }
    return result;
  };
}

/** Returns rules with the counts of the newest fork that has some. */
function withCounts(rules: Rules, blobs: BlobSchedule): Rules {
  const { ethereum, fork } = rules;
  if (!ethereum?.blobs) return rules;
  const at = ETHEREUM_FORKS.findIndex(({ name }) => name === fork);
  const past = ETHEREUM_FORKS.slice(0, at + 1).map(({ name }) => name);
  const newest = past.findLast((name) => blobs[name] !== undefined || WITH_COUNTS.includes(name));
  const counts = newest === undefined ? undefined : blobs[newest];
  if (counts === undefined) return rules;
  const { max, maxPerTransaction } = ethereum.blobs;
  const parameters = {
    ...ethereum.blobs,
    ...counts,
    maxPerTransaction: maxPerTransaction < max ? maxPerTransaction : counts.max,
  };
  return Object.freeze({ ...rules, ethereum: { ...ethereum, blobs: parameters } });
}

const isCount = (value: unknown, least: number) => Number.isSafeInteger(value) && Number(value) >= least;

const asConfig = (value: unknown): Config => (typeof value === 'object' && value !== null ? { ...value } : {});
