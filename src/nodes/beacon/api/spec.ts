import type { EthereumFork } from '../../../protocol/forks/ethereum.ts';
import type { L1Forks } from '../chain/l1-forks.ts';

const FAR_FUTURE = '18446744073709551615';

/** Consensus forks by the Ethereum fork of L1 that each comes with, the newest first. */
const CONSENSUS_FORKS: readonly (readonly [EthereumFork, string])[] = [
  ['osaka', 'fulu'],
  ['prague', 'electra'],
  ['cancun', 'deneb'],
];

/** Forks of blob parameters alone (EIP-7892). */
const BLOB_FORKS: readonly EthereumFork[] = ['bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5'];

/** Returns the consensus fork at a time, as answers of the beacon API have it in `version`. */
export function consensusFork({ schedule }: L1Forks, time: number): string {
  const isActive = (fork: EthereumFork) => (schedule[fork] ?? Number.POSITIVE_INFINITY) <= time;
  return CONSENSUS_FORKS.find(([fork]) => isActive(fork))?.[1] ?? 'capella';
}

/** What the answer is about. */
export interface SpecOf {
  readonly secondsPerSlot: number;
  readonly chainId: number;
  readonly forks: L1Forks;
  /** Unix seconds. */
  readonly genesisTime: number;
}

/**
 * Answers `getSpec`, `/eth/v1/config/spec` (lighthouse: `ConfigAndPreset`, lodestar: `renderJsonSpec`).
 * An epoch is one slot, so that each consensus fork begins with the first slot of L1's fork.
 */
export function configSpec({ secondsPerSlot, chainId, forks, genesisTime }: SpecOf): Readonly<Record<string, unknown>> {
  const { schedule, rulesAt } = forks;
  const epochOf = (fork: EthereumFork) => {
    const time = schedule[fork];
    return time === undefined ? undefined : Math.max(0, Math.ceil((time - genesisTime) / secondsPerSlot));
  };
  const epochs = CONSENSUS_FORKS.map(([fork, name]) => [
    `${name.toUpperCase()}_FORK_EPOCH`,
    String(epochOf(fork) ?? FAR_FUTURE),
  ]);
  const blobs = BLOB_FORKS.flatMap((fork) => {
    const [time, epoch] = [schedule[fork], epochOf(fork)];
    if (time === undefined) return [];
    return [{ EPOCH: String(epoch), MAX_BLOBS_PER_BLOCK: String(rulesAt(time).ethereum?.blobs?.max) }];
  });
  return {
    PRESET_BASE: 'mainnet',
    CONFIG_NAME: 'devnet',
    SECONDS_PER_SLOT: String(secondsPerSlot),
    SLOT_DURATION_MS: String(secondsPerSlot * 1000),
    SLOTS_PER_EPOCH: '1',
    SECONDS_PER_ETH1_BLOCK: String(secondsPerSlot),
    GENESIS_DELAY: '0',
    GENESIS_FORK_VERSION: '0x00000000',
    ALTAIR_FORK_EPOCH: '0',
    BELLATRIX_FORK_EPOCH: '0',
    CAPELLA_FORK_EPOCH: '0',
    ...Object.fromEntries(epochs.reverse()),
    MAX_BLOBS_PER_BLOCK: '6',
    MAX_BLOBS_PER_BLOCK_ELECTRA: '9',
    ...(blobs.length === 0 ? {} : { BLOB_SCHEDULE: blobs }),
    FIELD_ELEMENTS_PER_BLOB: '4096',
    MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS: '4096',
    DEPOSIT_CHAIN_ID: String(chainId),
    DEPOSIT_NETWORK_ID: String(chainId),
  };
}
