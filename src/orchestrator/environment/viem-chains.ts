import type { Hex } from '../../protocol/types.ts';
import { chainEndpoints } from '../plan/chain/endpoints.ts';
import type { ChainView, Plan } from '../plan/plan.ts';

interface Contract {
  readonly address: Hex;
}

/** The fields of viem's chain definitions that both layers have. `blockTime`: ms, for fitting polling intervals. */
interface LayerDefinition<Contracts> {
  readonly id: number;
  readonly name: string;
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly blockTime: number;
  readonly rpcUrls: { readonly default: { readonly http: readonly string[]; readonly webSocket: readonly string[] } };
  readonly contracts: Contracts;
}

/** Contracts on L1 stand below the chain id of L1, those of the rollup do not. */
export type RollupContracts = Readonly<Record<string, Contract | Readonly<Record<number, Contract>>>>;

/** A rollup's part of its definition. `chainConfig` of viem's op-stack belongs beneath it. */
export interface RollupDefinition extends LayerDefinition<RollupContracts> {
  /** Chain id of L1. */
  readonly sourceId: number;
}

export type L1Definition = LayerDefinition<Readonly<Record<string, Contract>>>;

const CURRENCY = { name: 'Ether', symbol: 'ETH', decimals: 18 };

/** Returns the definitions of L1 and of each rollup by name. Contracts have the keys that viem's actions read. */
export function viemChains({ devnet, network: { l1, chains } }: Plan): {
  readonly l1: L1Definition;
  readonly rollups: Readonly<Record<string, RollupDefinition>>;
} {
  return {
    l1: {
      id: l1.chainId,
      name: `${devnet} L1`,
      nativeCurrency: CURRENCY,
      blockTime: l1.blockTime * 1000,
      rpcUrls: { default: { http: [l1.rpc], webSocket: [l1.ws] } },
      contracts: mapValues(viemNames(l1.contracts), (address) => ({ address })),
    },
    rollups: Object.fromEntries(chains.map((chain) => [chain.name, rollup(devnet, l1.chainId, chain)])),
  };
}

function rollup(devnet: string, sourceId: number, chain: ChainView): RollupDefinition {
  const endpoints = chainEndpoints(chain);
  const urls =
    endpoints === undefined ? { http: [], webSocket: [] } : { http: [endpoints.http], webSocket: [endpoints.ws] };
  return {
    id: chain.chainId,
    name: `${devnet} ${chain.name}`,
    nativeCurrency: CURRENCY,
    blockTime: chain.blockTime * 1000,
    sourceId,
    rpcUrls: { default: urls },
    contracts: {
      ...mapValues(viemNames(chain.contracts.l1), (address) => ({ [sourceId]: { address } })),
      ...mapValues(viemNames(chain.contracts.l2), (address) => ({ address })),
    },
  };
}

/** Keys of viem for contracts that have other names here. */
const VIEM_NAMES: Readonly<Record<string, string>> = {
  OptimismPortal: 'portal',
  MultiCall3: 'multicall3',
  multiCall3: 'multicall3',
  ProxyAdmin: 'l1ProxyAdmin',
  OptimismMintableERC20Factory: 'l1OptimismMintableErc20Factory',
};

/** Maps addresses to viem's keys: `l2OutputOracle`, `l1Erc721Bridge`. */
function viemNames<Address>(addresses: Readonly<Record<string, Address>>): Record<string, Address> {
  const entries = Object.entries(addresses).map(([name, address]) => [
    VIEM_NAMES[name] ?? (name.charAt(0).toLowerCase() + name.slice(1)).replace(/ERC(?=\d)/, 'Erc'),
    address,
  ]);
  return Object.fromEntries(entries);
}

function mapValues<From, To>(map: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
