import { compressedSizeL1Fee } from '../rules/l1-fee/compressed-size.ts';
import { canyon } from './canyon.ts';
import { ecotone } from './ecotone.ts';
import { defineFork } from './fork.ts';

/**
 * Specification: fjord.
 * Brotli channels, a constant sequencer drift, the L1 fee by compressed size, P256VERIFY (RIP-7212). Upgrade
 * transactions: `FjordNetworkUpgradeTransactions` (op-node), `Hardforks::FJORD` (kona).
 */
export const fjord = defineFork({
  name: 'fjord',
  follows: 'ecotone',
  rules: {
    precompiles: { inputLimits: {}, p256VerifyGas: 3450 },
    l1Fee: compressedSizeL1Fee,
    channels: { ...canyon.rules.channels, maxRlpBytes: 100_000_000, maxBankBytes: 1_000_000_000, brotli: true },
    batches: { ...ecotone.rules.batches, maxSequencerDrift: () => 1800 },
  },
  upgrade: { qualifiedIntents: false, addsGas: false },
  activation: { noTxPool: true },
});
