import { bedrockAttributes, canyonAttributes, ecotoneAttributes } from '../parts/attributes.ts';
import { ethereumEip1559 } from '../parts/eip1559.ts';
import { canyonEngine, ecotoneEngine, isthmusEngine, karstEngine } from '../parts/engine.ts';
import { shortExtraData } from '../parts/extra-data/short.ts';
import { bedrockHeader, cancunHeader, pragueHeader, shanghaiHeader } from '../parts/header.ts';
import { noL1Fee } from '../parts/l1-fee/none.ts';
import { cancunLayerOne, osakaLayerOne, parisLayerOne, pragueLayerOne, shanghaiLayerOne } from '../parts/layer-one.ts';
import type { BlobParameters } from '../parts/rules.ts';
import { bedrock } from './bedrock.ts';
import { readTimes } from './config.ts';
import { createForks, type Forks, type Schedule } from './create.ts';
import { defineFork, type ForkDefinition } from './fork.ts';

/**
 * Ethereum's forks from the merge on, for a genesis that describes no rollup. Rules that only a rollup reads stay at
 * bedrock.
 */
const ethereum = <const Name extends string>(definition: ForkDefinition<Name>) =>
  defineFork({ ...definition, override: null, rollupKey: null });

const paris = {
  ...ethereum({ name: 'paris', genesisKey: null }),
  parts: {
    ...bedrock.parts,
    header: bedrockHeader,
    attributes: bedrockAttributes,
    extraData: shortExtraData,
    eip1559: ethereumEip1559,
    l1Fee: noL1Fee,
    layerOne: parisLayerOne,
  },
};

const LIST = [
  paris,
  ethereum({
    name: 'shanghai',
    parts: {
      evm: 'shanghai',
      header: shanghaiHeader,
      attributes: canyonAttributes,
      engine: canyonEngine,
      layerOne: shanghaiLayerOne,
    },
  }),
  ethereum({
    name: 'cancun',
    parts: {
      evm: 'cancun',
      header: cancunHeader,
      attributes: ecotoneAttributes,
      engine: ecotoneEngine,
      layerOne: cancunLayerOne,
    },
  }),
  ethereum({
    name: 'prague',
    parts: { evm: 'prague', header: pragueHeader, engine: isthmusEngine, layerOne: pragueLayerOne },
  }),
  ethereum({
    name: 'osaka',
    parts: {
      evm: 'osaka',
      engine: karstEngine,
      layerOne: osakaLayerOne,
      precompiles: { inputLimits: {}, transactionGasCap: 2 ** 24 },
    },
  }),
] as const;

type EthereumFork = (typeof LIST)[number]['name'];

/** Activation times of Ethereum's forks; the merge's is genesis. */
export type EthereumSchedule = Schedule<EthereumFork>;

const forks: Forks<EthereumFork> = createForks<EthereumFork>(LIST);

/** The rules of a chain without a rollup at a time. */
export const ethereumRulesAt = forks.rulesAt;

/** Fork times of genesis.json's `config`. */
export function ethereumScheduleOf(config: Readonly<Record<string, unknown>>): EthereumSchedule {
  return readTimes(forks.list, config, (fork) => fork.genesisKey);
}

/** Blob parameters that a fork brings, by its name; undefined for another name, or a fork that brings none. */
export function blobParametersOf(name: string): BlobParameters | undefined {
  return forks.find(name)?.parts.layerOne?.blobs ?? undefined;
}
