import { toNumber } from '../bytes.ts';
import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT, ZERO_HASH } from '../execution/constants.ts';
import { PREDEPLOYS } from '../execution/predeploys.ts';
import { genesisConfigTimes, rulesAt } from '../forks/index.ts';
import { keccak256 } from '../hash.ts';
import { hexToSized, quantity } from '../hex.ts';
import type { HeaderRules } from '../rules/rules.ts';
import type { Hex } from '../types.ts';
import { l2Alloc, layersAt } from './alloc.ts';
import type { GenesisContracts, GenesisRoots } from './contracts.ts';
import { type GenesisHeader, genesisHash } from './header.ts';
import type { ChainGenesisInputs } from './inputs.ts';
import { chainOpConfig } from './rollup.ts';
import { l2GenesisRoots } from './roots.ts';

/** wei */
const L2_BASE_FEE = 1_000_000_000n;

/** Makes the header of the L2 genesis block over a state of these roots (op-chain-ops: `NewL2Genesis`). */
export function l2GenesisHeader(inputs: ChainGenesisInputs, roots: GenesisRoots): GenesisHeader {
  const { header } = rulesAt(inputs.schedule, inputs.genesisTime);
  const withdrawalsRoot = withdrawalsRootOf(header, roots);
  return {
    coinbase: PREDEPLOYS.sequencerFeeVault,
    stateRoot: roots.stateRoot,
    gasLimit: inputs.systemConfig.gasLimit,
    timestamp: inputs.genesisTime,
    extraData: genesisExtraData(inputs),
    baseFeePerGas: L2_BASE_FEE,
    ...(withdrawalsRoot === undefined ? {} : { withdrawalsRoot }),
    beaconRoot: header.beaconRoot,
    ...(header.requestsHash ? { requestsHash: EMPTY_REQUESTS_HASH } : {}),
  };
}

/** Computes the hash of the L2 genesis block. */
export function l2GenesisHash(inputs: ChainGenesisInputs, roots: GenesisRoots): Hex {
  return genesisHash(l2GenesisHeader(inputs, roots));
}

/** Makes the genesis file without its `alloc` (op-chain-ops: `NewL2Genesis`). */
export function l2GenesisHead(
  inputs: ChainGenesisInputs,
): Readonly<Record<string, unknown>> & { readonly config: Readonly<Record<string, unknown>> } {
  const { header } = rulesAt(inputs.schedule, inputs.genesisTime);
  return {
    config: l2ChainConfig(inputs),
    nonce: '0x0',
    timestamp: quantity(inputs.genesisTime),
    extraData: genesisExtraData(inputs),
    gasLimit: quantity(inputs.systemConfig.gasLimit),
    difficulty: '0x0',
    mixHash: ZERO_HASH,
    coinbase: PREDEPLOYS.sequencerFeeVault,
    number: '0x0',
    gasUsed: '0x0',
    parentHash: ZERO_HASH,
    baseFeePerGas: quantity(L2_BASE_FEE),
    ...(header.beaconRoot ? { excessBlobGas: '0x0', blobGasUsed: '0x0' } : {}),
  };
}

/**
 * Renders genesis.json, with `alloc` as its last key (op-chain-ops: `BuildL2Genesis`).
 * `allocText` comes from `renderAlloc`, perhaps out of a cache.
 */
export function renderL2Genesis(inputs: ChainGenesisInputs, allocText: string): string {
  return `${JSON.stringify(l2GenesisHead(inputs)).slice(0, -1)},"alloc":${allocText}}\n`;
}

/**
 * Returns the cache key of the L2 genesis state; the identity of the contracts file is its other part.
 * Chains with equal keys have equal states and roots, whatever their genesis time.
 */
export function l2StateKey(inputs: ChainGenesisInputs, contracts: GenesisContracts): string {
  const { chainId, l1ChainId, roles, accounts, alloc } = inputs;
  const forks = layersAt(inputs, contracts).map(({ fork }) => fork);
  const extra = alloc === undefined ? [] : [keccak256(new TextEncoder().encode(JSON.stringify(alloc)))];
  return JSON.stringify([chainId, l1ChainId, roles.owner, accounts, forks, ...extra]);
}

/**
 * Returns roots and hash of the L2 genesis, from the contracts file for usual states, else computed.
 * @throws GenesisError
 */
export function l2Genesis(
  inputs: ChainGenesisInputs,
  contracts: GenesisContracts,
): { readonly roots: GenesisRoots; readonly hash: Hex } {
  const roots = contracts.l2.roots[l2StateKey(inputs, contracts)] ?? l2GenesisRoots(l2Alloc(inputs, contracts));
  return { roots, hash: l2GenesisHash(inputs, roots) };
}

function l2ChainConfig(inputs: ChainGenesisInputs): Readonly<Record<string, unknown>> {
  const ethereum = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul'];
  const later = ['muirGlacier', 'berlin', 'london', 'arrowGlacier', 'grayGlacier', 'mergeNetsplit'];
  return {
    chainId: inputs.chainId,
    ...Object.fromEntries([...ethereum, ...later].map((name) => [`${name}Block`, 0])),
    ...genesisConfigTimes(inputs.schedule),
    terminalTotalDifficulty: 0,
    terminalTotalDifficultyPassed: true,
    optimism: chainOpConfig(inputs),
  };
}

function genesisExtraData(inputs: ChainGenesisInputs): Hex {
  const rules = rulesAt(inputs.schedule, inputs.genesisTime);
  const params = hexToSized(inputs.systemConfig.eip1559Params, 8);
  const parameters = {
    denominator: toNumber(params.subarray(0, 4)),
    elasticity: toNumber(params.subarray(4)),
    minBaseFee: inputs.systemConfig.minBaseFee,
  };
  return rules.extraData.encode(parameters, rules.eip1559.constants(chainOpConfig(inputs)));
}

function withdrawalsRootOf(header: HeaderRules, roots: GenesisRoots): Hex | undefined {
  const none = EMPTY_TRIE_ROOT;
  return { absent: undefined, empty: none, list: none, 'message-passer': roots.messagePasserRoot }[
    header.withdrawalsRoot
  ];
}
