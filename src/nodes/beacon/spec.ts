const FAR_FUTURE = '18446744073709551615';

/** `/eth/v1/config/spec`: every fork up to Electra (L1's Prague) is active from genesis. */
export function configSpec(secondsPerSlot: number, chainId: number): Readonly<Record<string, string>> {
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
    DENEB_FORK_EPOCH: '0',
    ELECTRA_FORK_EPOCH: '0',
    FULU_FORK_EPOCH: FAR_FUTURE,
    MAX_BLOBS_PER_BLOCK: '6',
    MAX_BLOBS_PER_BLOCK_ELECTRA: '9',
    FIELD_ELEMENTS_PER_BLOB: '4096',
    MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS: '4096',
    DEPOSIT_CHAIN_ID: String(chainId),
    DEPOSIT_NETWORK_ID: String(chainId),
  };
}
