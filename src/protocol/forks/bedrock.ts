import { bedrockAttributes } from '../parts/attributes.ts';
import { constantBaseFee } from '../parts/base-fee/constant.ts';
import { bedrockBatches } from '../parts/batches.ts';
import { bedrockChannels } from '../parts/channels.ts';
import { noDaFootprint } from '../parts/da-footprint/none.ts';
import { bedrockDeposit } from '../parts/deposit.ts';
import { bedrockEip1559 } from '../parts/eip1559.ts';
import { bedrockEngine } from '../parts/engine.ts';
import { noExtraData } from '../parts/extra-data/none.ts';
import { gossipV1 } from '../parts/gossip.ts';
import { bedrockHeader } from '../parts/header.ts';
import { bedrockL1Attributes } from '../parts/l1-attributes/abi.ts';
import { l1ScheduleBlobFee } from '../parts/l1-blob-fee/l1-schedule.ts';
import { bedrockL1Fee } from '../parts/l1-fee/overhead-scalar.ts';
import { noOperatorFee } from '../parts/operator-fee/none.ts';
import { bedrockPrecompiles } from '../parts/precompiles.ts';
import { defineFork, type Parts } from './fork.ts';

const parts: Parts = {
  evm: 'paris',
  precompiles: bedrockPrecompiles,
  header: bedrockHeader,
  extraData: noExtraData,
  eip1559: bedrockEip1559,
  baseFee: constantBaseFee,
  deposit: bedrockDeposit,
  layerOne: null,
  l1Fee: bedrockL1Fee,
  operatorFee: noOperatorFee,
  daFootprint: noDaFootprint,
  l1Attributes: bedrockL1Attributes,
  l1BlobFee: l1ScheduleBlobFee,
  channels: bedrockChannels,
  batches: bedrockBatches,
  attributes: bedrockAttributes,
  engine: bedrockEngine,
  gossip: gossipV1,
};

/** The rules that every chain begins with: active from genesis on. */
export const bedrock = { ...defineFork({ name: 'bedrock', override: null, rollupKey: null, genesisKey: null }), parts };
