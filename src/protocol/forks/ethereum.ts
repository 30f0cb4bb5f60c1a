import { shortExtraData } from '../rules/extra-data/short.ts';
import { noWithdrawalsHeader } from '../rules/header.ts';
import { CANCUN_UPDATE_FRACTION, PRAGUE_UPDATE_FRACTION } from '../rules/l1-blob-fee/blob-base-fee.ts';
import type { BlobCounts } from '../rules/rules.ts';
import { bedrock } from './bedrock.ts';
import { readTimes } from './config.ts';
import { createForks, type Forks, type Schedule } from './create.ts';
import { defineFork, type ForkDefinition, type ForkRules } from './fork.ts';

/** Defines a fork that no rollup node knows: without an override and a key in rollup.json. */
const ethereum = <const Name extends string, Own extends Partial<ForkRules>>(definition: ForkDefinition<Name, Own>) =>
  defineFork({ ...definition, override: null, rollupKey: null });

/** Ethereum from the merge on, for a genesis without a rollup. Rules that only a rollup reads are bedrock's. */
const paris = {
  ...ethereum({ name: 'paris', follows: null, genesisKey: null, rules: {} }),
  rules: {
    ...bedrock.rules,
    extraData: shortExtraData,
    eip1559: { constants: () => ({ denominator: 8, elasticity: 2, minBaseFee: 0 }) },
    // Ethereum has no layer below it.
    l1Fee: { read: () => null },
    ethereum: { withdrawals: false, blobs: null, requests: false },
  },
};

/** EIP-4895: withdrawals. */
const shanghai = ethereum({
  name: 'shanghai',
  follows: 'paris',
  rules: {
    evm: 'shanghai',
    header: { ...noWithdrawalsHeader, withdrawalsRoot: 'list' },
    attributes: { ...bedrock.rules.attributes, withdrawals: true },
    engine: { forkchoiceUpdated: 2, newPayload: 2, getPayload: 2 },
    ethereum: { ...paris.rules.ethereum, withdrawals: true },
  },
});

/** EIP-4788 and EIP-4844: the beacon root and blobs. */
const cancun = ethereum({
  name: 'cancun',
  follows: 'shanghai',
  rules: {
    evm: 'cancun',
    header: { ...shanghai.rules.header, beaconRoot: true },
    attributes: { ...shanghai.rules.attributes, parentBeaconBlockRoot: true },
    engine: { forkchoiceUpdated: 3, newPayload: 3, getPayload: 3 },
    ethereum: {
      ...shanghai.rules.ethereum,
      blobs: {
        target: 3,
        max: 6,
        updateFraction: CANCUN_UPDATE_FRACTION,
        maxPerTransaction: 6,
        reservePrice: false,
        cellProofs: false,
      },
    },
  },
});

/** EIP-7691 and EIP-7685: more blobs, execution requests. */
const prague = ethereum({
  name: 'prague',
  follows: 'cancun',
  rules: {
    evm: 'prague',
    header: { ...cancun.rules.header, requestsHash: true },
    engine: { forkchoiceUpdated: 3, newPayload: 4, getPayload: 4 },
    ethereum: {
      ...cancun.rules.ethereum,
      blobs: {
        ...cancun.rules.ethereum.blobs,
        target: 6,
        max: 9,
        updateFraction: PRAGUE_UPDATE_FRACTION,
        maxPerTransaction: 9,
      },
      requests: true,
    },
  },
});

/** EIP-7594 (cell proofs), EIP-7918 (reserve price), EIP-7934 (size of a block), EIP-7825 (gas cap). */
const osaka = ethereum({
  name: 'osaka',
  follows: 'prague',
  rules: {
    evm: 'osaka',
    engine: { forkchoiceUpdated: 3, newPayload: 4, getPayload: 5 },
    ethereum: {
      ...prague.rules.ethereum,
      blobs: { ...prague.rules.ethereum.blobs, maxPerTransaction: 6, reservePrice: true, cellProofs: true },
      maxBlockBytes: 8_388_608,
    },
    precompiles: { inputLimits: {}, transactionGasCap: 2 ** 24 },
  },
});

/** Defines a fork of blob parameters alone (EIP-7892). `counts`: those of mainnet. */
const blobFork = <const Name extends string>(name: Name, follows: string, counts: BlobCounts) =>
  ethereum({
    name,
    follows,
    label: name.toUpperCase(),
    rules: { ethereum: { ...osaka.rules.ethereum, blobs: { ...osaka.rules.ethereum.blobs, ...counts } } },
  });

const BPO2 = { target: 14, max: 21, updateFraction: 11_684_671n };

const bpo1 = blobFork('bpo1', 'osaka', { target: 10, max: 15, updateFraction: 8_346_193n });
const bpo2 = blobFork('bpo2', 'bpo1', BPO2);
// Mainnet has no such forks yet: a chain that has them states their parameters.
const bpo3 = blobFork('bpo3', 'bpo2', BPO2);
const bpo4 = blobFork('bpo4', 'bpo3', BPO2);
const bpo5 = blobFork('bpo5', 'bpo4', BPO2);

const LATER = [shanghai, cancun, prague, osaka, bpo1, bpo2, bpo3, bpo4, bpo5] as const;

/** Name of a fork of Ethereum from the merge on. */
export type EthereumFork = (typeof paris | (typeof LATER)[number])['name'];

/** Activation times of Ethereum's forks; the merge's is genesis. */
export type EthereumSchedule = Schedule<EthereumFork>;

const forks: Forks<EthereumFork> = createForks<EthereumFork>(paris, LATER);

/** Ethereum's forks from the merge on, in order of activation. */
export const ETHEREUM_FORKS = forks.list;

/** Returns the rules of an L1 chain at a time (geth: `ChainConfig.Rules`). */
export const ethereumRulesAt = forks.rulesAt;

/** Reads the fork times of genesis.json's `config` (geth: `ChainConfig`). */
export function ethereumScheduleOf(config: Readonly<Record<string, unknown>>): EthereumSchedule {
  return readTimes(forks.list, config, (fork) => fork.genesisKey);
}
