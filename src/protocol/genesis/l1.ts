import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT, ZERO_ADDRESS, ZERO_HASH } from '../execution/constants.ts';
import { blobScheduleOf } from '../forks/blob-schedule.ts';
import { quantity } from '../hex.ts';
import type { Hex } from '../types.ts';
import { l1Alloc } from './alloc.ts';
import type { GenesisContracts } from './contracts.ts';
import { type GenesisHeader, genesisHash } from './header.ts';
import { L1_GAS_LIMIT, L1_HARDFORKS, L1_LATER_FORKS, type L1GenesisInputs } from './inputs.ts';
import { allocJson } from './render.ts';
import { l2GenesisRoots } from './roots.ts';

/** wei */
const L1_BASE_FEE = 1_000_000_000n;

/**
 * Header fields that anvil takes from its options instead of the genesis file. Its `hardfork` and its `gas-limit` are
 * those of the inputs.
 */
export const ANVIL_ARGUMENTS: Readonly<Record<string, string>> = { 'block-base-fee-per-gas': String(L1_BASE_FEE) };

/**
 * Makes the `config` of an L1 whose Ethereum forks are active at genesis up to one (geth: `ChainConfig`).
 * `forks`: activation times of others.
 */
export function l1ChainConfig({
  chainId,
  hardfork,
  forks = {},
  blobSchedule = {},
}: Pick<L1GenesisInputs, 'chainId' | 'hardfork' | 'forks' | 'blobSchedule'>): Readonly<Record<string, unknown>> {
  const times = [
    ...L1_HARDFORKS.slice(0, L1_HARDFORKS.indexOf(hardfork) + 1).map((name) => [`${name}Time`, 0]),
    ...Object.entries(forks).map(([name, time]) => [`${name}Time`, time]),
  ];
  const blobForks = L1_LATER_FORKS.filter((name) => forks[name] !== undefined);
  const blocks = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul'];
  const later = ['muirGlacier', 'berlin', 'london', 'arrowGlacier', 'grayGlacier', 'mergeNetsplit'];
  return {
    chainId,
    ...Object.fromEntries([...blocks, ...later].map((name) => [`${name}Block`, 0])),
    terminalTotalDifficulty: 0,
    terminalTotalDifficultyPassed: true,
    shanghaiTime: 0,
    ...Object.fromEntries(times),
    blobSchedule: blobScheduleOf([...L1_HARDFORKS, ...blobForks], blobSchedule),
  };
}

/**
 * Makes the L1 genesis file, for `anvil --init` (op-chain-ops: `NewL1Genesis`, `BuildL1DeveloperGenesis`).
 * @throws GenesisError
 */
export function l1Genesis(inputs: L1GenesisInputs, contracts: GenesisContracts): Readonly<Record<string, unknown>> {
  return {
    config: l1ChainConfig(inputs),
    nonce: '0x0',
    timestamp: quantity(inputs.genesisTime),
    extraData: '0x',
    gasLimit: quantity(inputs.gasLimit ?? L1_GAS_LIMIT),
    difficulty: '0x0',
    mixHash: ZERO_HASH,
    coinbase: ZERO_ADDRESS,
    number: '0x0',
    gasUsed: '0x0',
    parentHash: ZERO_HASH,
    baseFeePerGas: quantity(L1_BASE_FEE),
    excessBlobGas: '0x0',
    blobGasUsed: '0x0',
    alloc: allocJson(l1Alloc(inputs, contracts)),
  };
}

/**
 * Predicts block 0 of anvil from that file, {@link ANVIL_ARGUMENTS} and the hardfork.
 * Its state root is always that of the empty trie, so only time and gas limit distinguish the block 0 of two chains.
 */
export function predictAnvilGenesis(inputs: L1HeaderInputs): { readonly hash: Hex; readonly header: GenesisHeader } {
  const header = l1GenesisHeader(inputs, EMPTY_TRIE_ROOT);
  return { hash: genesisHash(header), header };
}

/** Computes the hash of block 0 of an L1 that takes all of that file, its state included. @throws GenesisError */
export function l1GenesisHash(inputs: L1GenesisInputs, contracts: GenesisContracts): Hex {
  return genesisHash(l1GenesisHeader(inputs, l2GenesisRoots(l1Alloc(inputs, contracts)).stateRoot));
}

/** What of the inputs decides the header of block 0 beside its state. */
type L1HeaderInputs = Pick<L1GenesisInputs, 'genesisTime' | 'hardfork' | 'gasLimit'>;

function l1GenesisHeader(
  { genesisTime, hardfork, gasLimit = L1_GAS_LIMIT }: L1HeaderInputs,
  stateRoot: Hex,
): GenesisHeader {
  return {
    coinbase: ZERO_ADDRESS,
    stateRoot,
    gasLimit,
    timestamp: genesisTime,
    extraData: '0x',
    baseFeePerGas: L1_BASE_FEE,
    withdrawalsRoot: EMPTY_TRIE_ROOT,
    beaconRoot: true,
    ...(hardfork === 'cancun' ? {} : { requestsHash: EMPTY_REQUESTS_HASH }),
  };
}
