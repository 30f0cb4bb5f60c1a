import type { EthereumFork } from './ethereum.ts';
import type { L1Forks } from './l1-forks.ts';

const FAR_FUTURE = '18446744073709551615';

/** Consensus forks by the Ethereum fork of L1 that each comes with, the newest first. */
const CONSENSUS_FORKS: readonly (readonly [EthereumFork, string])[] = [
  ['osaka', 'fulu'],
  ['prague', 'electra'],
  ['cancun', 'deneb'],
];

/** Forks of which `BLOB_SCHEDULE` has the blobs of a block: osaka, and those of blob parameters alone (EIP-7892). */
const SCHEDULED: readonly EthereumFork[] = ['osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5'];

/** Returns the consensus fork at a time, as answers of the beacon API have it in `version`. */
export function consensusFork({ schedule }: L1Forks, time: number): string {
  const isActive = (fork: EthereumFork) => (schedule[fork] ?? Number.POSITIVE_INFINITY) <= time;
  return CONSENSUS_FORKS.find(([fork]) => isActive(fork))?.[1] ?? 'capella';
}

/**
 * Returns the forks of the beacon chain that belongs to an L1, as its configuration has them (consensus-specs:
 * `configs/mainnet.yaml`). `epochOf`: the epoch of an activation. Numbers are texts, as in the beacon API.
 * `BLOB_SCHEDULE` has no entry for a fork that leaves the blobs of a block as they were with fulu.
 */
export function consensusForks(
  { schedule, rulesAt }: L1Forks,
  epochOf: (time: number) => number,
): Readonly<Record<string, unknown>> {
  const epochs = CONSENSUS_FORKS.map(([fork, name]) => {
    const time = schedule[fork];
    return [`${name.toUpperCase()}_FORK_EPOCH`, time === undefined ? FAR_FUTURE : String(epochOf(time))];
  });
  const maxOf = (fork: EthereumFork, usual: number) =>
    rulesAt(schedule[fork] ?? Number.POSITIVE_INFINITY).ethereum?.blobs?.max ?? usual;
  const cancun = schedule.cancun === undefined ? 6 : maxOf('cancun', 6);
  const electra = schedule.prague === undefined ? 9 : maxOf('prague', 9);
  const byEpoch = new Map<number, number>();
  let before = electra;
  for (const fork of SCHEDULED) {
    const time = schedule[fork];
    if (time === undefined) continue;
    const max = maxOf(fork, before);
    if (max !== before) byEpoch.set(epochOf(time), max);
    before = max;
  }
  const entries = [...byEpoch].map(([epoch, max]) => ({ EPOCH: String(epoch), MAX_BLOBS_PER_BLOCK: String(max) }));
  return {
    ...Object.fromEntries(epochs.reverse()),
    MAX_BLOBS_PER_BLOCK: String(cancun),
    MAX_BLOBS_PER_BLOCK_ELECTRA: String(electra),
    ...(entries.length === 0 ? {} : { BLOB_SCHEDULE: entries }),
  };
}
