import { L1_HARDFORKS, type L1Hardfork } from '../../../protocol/genesis/inputs.ts';

const FAR_FUTURE = '18446744073709551615';

/** Consensus forks by the Ethereum fork of L1 that each comes with. */
const CONSENSUS_FORKS: Readonly<Record<L1Hardfork, string>> = { cancun: 'deneb', prague: 'electra', osaka: 'fulu' };

/** Name of the consensus fork in force, as answers of the beacon API have it in `version`. */
export const consensusFork = (hardfork: L1Hardfork): string => CONSENSUS_FORKS[hardfork];

/** Epochs of the consensus forks: 0 up to the one in force. */
function forkEpochs(hardfork: L1Hardfork): Readonly<Record<string, string>> {
  const last = L1_HARDFORKS.indexOf(hardfork);
  return Object.fromEntries(
    L1_HARDFORKS.map((name, at) => [`${consensusFork(name).toUpperCase()}_FORK_EPOCH`, at <= last ? '0' : FAR_FUTURE]),
  );
}

/**
 * Answers `getSpec`, `/eth/v1/config/spec` (lighthouse: `ConfigAndPreset`, lodestar: `renderJsonSpec`).
 * Every consensus fork up to that of L1's fork is active from genesis.
 */
export function configSpec(
  secondsPerSlot: number,
  chainId: number,
  hardfork: L1Hardfork,
): Readonly<Record<string, string>> {
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
    ...forkEpochs(hardfork),
    MAX_BLOBS_PER_BLOCK: '6',
    MAX_BLOBS_PER_BLOCK_ELECTRA: '9',
    FIELD_ELEMENTS_PER_BLOB: '4096',
    MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS: '4096',
    DEPOSIT_CHAIN_ID: String(chainId),
    DEPOSIT_NETWORK_ID: String(chainId),
  };
}
