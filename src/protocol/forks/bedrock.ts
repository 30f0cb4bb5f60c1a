import { EIP1559_DENOMINATOR, EIP1559_ELASTICITY } from '../execution/constants.ts';
import { chainConstantsBaseFee } from '../rules/base-fee/chain-constants.ts';
import { noDaFootprint } from '../rules/da-footprint/da-footprint.ts';
import { noExtraData } from '../rules/extra-data/none.ts';
import { noWithdrawalsHeader } from '../rules/header.ts';
import { abiSystemL1Attributes } from '../rules/l1-attributes/abi.ts';
import { l1ScheduleBlobFee } from '../rules/l1-blob-fee/l1-schedule.ts';
import { overheadScalarSignatureL1Fee } from '../rules/l1-fee/overhead-scalar.ts';
import { noOperatorFee } from '../rules/operator-fee/operator-fee.ts';
import { defineFork, type ForkRules } from './fork.ts';

const rules: ForkRules = {
  evm: 'paris',
  precompiles: { inputLimits: {} },
  header: noWithdrawalsHeader,
  extraData: noExtraData,
  eip1559: {
    constants: (chain) => ({
      denominator: chain?.eip1559Denominator ?? EIP1559_DENOMINATOR,
      elasticity: chain?.eip1559Elasticity ?? EIP1559_ELASTICITY,
      minBaseFee: 0,
    }),
  },
  baseFee: chainConstantsBaseFee,
  deposit: { metered: false, receiptVersion: false },
  ethereum: null,
  l1Fee: overheadScalarSignatureL1Fee,
  operatorFee: noOperatorFee,
  daFootprint: noDaFootprint,
  l1Attributes: abiSystemL1Attributes,
  l1BlobFee: l1ScheduleBlobFee,
  channels: {
    stages: 'bank',
    timeout: (config) => config.channel_timeout,
    maxRlpBytes: 10_000_000,
    maxBankBytes: 100_000_000,
    readAnyReady: false,
    brotli: false,
  },
  batches: {
    span: false,
    transactionTypes: [1, 2],
    maxSequencerDrift: (config) => config.max_sequencer_drift,
    blobs: false,
  },
  attributes: {
    withdrawals: false,
    parentBeaconBlockRoot: false,
    eip1559Params: false,
    minBaseFee: false,
    depositsOnlyOnInvalid: false,
    scalarEncoding: 'overhead',
  },
  engine: { forkchoiceUpdated: 1, newPayload: 2, getPayload: 2 },
  gossip: { version: 1 },
};

/** The rules that every chain begins with, active from genesis on. */
export const bedrock = defineFork({
  name: 'bedrock',
  follows: null,
  override: null,
  rollupKey: null,
  genesisKey: null,
  rules,
});
