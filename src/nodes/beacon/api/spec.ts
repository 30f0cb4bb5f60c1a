import { consensusForks } from '../../../protocol/forks/consensus.ts';
import type { L1Forks } from '../../../protocol/forks/l1-forks.ts';

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
  const epochOf = (time: number) => Math.max(0, Math.ceil((time - genesisTime) / secondsPerSlot));
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
    ...consensusForks(forks, epochOf),
    FIELD_ELEMENTS_PER_BLOB: '4096',
    MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS: '4096',
    DEPOSIT_CHAIN_ID: String(chainId),
    DEPOSIT_NETWORK_ID: String(chainId),
  };
}
