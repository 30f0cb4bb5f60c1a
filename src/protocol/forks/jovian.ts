import { minimumBaseFee } from '../rules/base-fee/minimum.ts';
import { compressedSizeDaFootprint } from '../rules/da-footprint/da-footprint.ts';
import { version1ExtraData } from '../rules/extra-data/version-1.ts';
import { packedL1AttributesWithDaFootprint } from '../rules/l1-attributes/packed.ts';
import { timesHundredOperatorFee } from '../rules/operator-fee/operator-fee.ts';
import { BLS_G1_MSM, BLS_G2_MSM, BLS_PAIRING, BN256_PAIRING } from '../rules/precompiles.ts';
import { defineFork } from './fork.ts';
import { holocene } from './holocene.ts';
import { isthmus } from './isthmus.ts';

/**
 * Specification: jovian. Minimum base fee and the data-availability footprint.
 * Upgrade transactions: `JovianNetworkUpgradeTransactions` (op-node), `Hardforks::JOVIAN` (kona).
 */
export const jovian = defineFork({
  name: 'jovian',
  follows: 'isthmus',
  rules: {
    precompiles: {
      ...isthmus.rules.precompiles,
      inputLimits: {
        [BN256_PAIRING]: 81_984,
        [BLS_G1_MSM]: 288_960,
        [BLS_G2_MSM]: 278_784,
        [BLS_PAIRING]: 156_672,
      },
    },
    extraData: version1ExtraData,
    baseFee: minimumBaseFee,
    operatorFee: timesHundredOperatorFee,
    daFootprint: compressedSizeDaFootprint,
    l1Attributes: packedL1AttributesWithDaFootprint,
    attributes: { ...holocene.rules.attributes, minBaseFee: true },
  },
  upgrade: { qualifiedIntents: false, addsGas: false },
  activation: { noTxPool: true, emptyBatch: true },
});
