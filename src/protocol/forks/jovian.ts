import { jovianAttributes } from '../parts/attributes.ts';
import { jovianBaseFee } from '../parts/base-fee/minimum.ts';
import { jovianDaFootprint } from '../parts/da-footprint/compressed-size.ts';
import { jovianExtraData } from '../parts/extra-data/version-1.ts';
import { jovianL1Attributes } from '../parts/l1-attributes/packed.ts';
import { jovianOperatorFee } from '../parts/operator-fee/times-hundred.ts';
import { jovianPrecompiles } from '../parts/precompiles.ts';
import { defineFork } from './fork.ts';

/** Specification: jovian. Minimum base fee and the data-availability footprint. */
export const jovian = defineFork({
  name: 'jovian',
  parts: {
    precompiles: jovianPrecompiles,
    extraData: jovianExtraData,
    baseFee: jovianBaseFee,
    operatorFee: jovianOperatorFee,
    daFootprint: jovianDaFootprint,
    l1Attributes: jovianL1Attributes,
    attributes: jovianAttributes,
  },
  upgrade: { qualifiedIntents: false, addsGas: false },
  activation: { noTxPool: true, emptyBatch: true },
});
