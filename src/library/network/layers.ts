import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  http,
  type PrivateKeyAccount,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { chainConfig, publicActionsL1, publicActionsL2, walletActionsL1, walletActionsL2 } from 'viem/op-stack';
import { viemChains } from '../../orchestrator/environment/viem-chains.ts';
import { endpointsOf } from '../../orchestrator/plan/chain/endpoints.ts';
import type { ChainView, Plan } from '../../orchestrator/plan/plan.ts';
import { present } from '../../protocol/present.ts';
import type { L1, L1Chain, L1Weather, OnL1, Rollup, RollupChain, RollupClient } from './chain-types.ts';
import { UsageError } from './errors.ts';
import { type L1Moves, l1TestTransport } from './l1-moves.ts';
import { type RollupMoves, rollupTestActions } from './test-actions.ts';

/** Time (ms) between two requests of an action that waits. The network is on this machine. */
const POLL_INTERVAL_MS = 100;

/** Makes the clients of L1. `moves`: what bounds the calls of its test client. */
export function l1Of(plan: Plan, moves: L1Moves, weather: L1Weather): L1 {
  const { rpc, ws, beacon } = plan.network.l1;
  const { contracts, ...definition } = viemChains(plan).l1;
  const chain: L1Chain = { ...defineChain(fields(definition)), contracts };
  const accounts = accountsOf(plan.network.chains[0]);
  const common = { chain, transport: http(rpc), pollingInterval: POLL_INTERVAL_MS };
  const walletOf = (account: number | PrivateKeyAccount) =>
    createWalletClient({ ...common, account: accountAt(accounts, account) }).extend(walletActionsL1());
  return {
    ...weather,
    rpc,
    ws,
    beacon,
    chain,
    accounts,
    public: createPublicClient(common).extend(publicActionsL1()),
    get wallet() {
      return walletOf(0);
    },
    test: createTestClient({ ...common, transport: l1TestTransport(rpc, moves), mode: 'anvil' }),
    walletOf,
  };
}

/** Makes the clients of a rollup. `moves`: what its test client can do. */
export function rollupOf(plan: Plan, view: ChainView, moves: RollupMoves): Rollup {
  const chain = rollupChain(plan, view.name);
  const endpoints = endpointsOf(view);
  const accounts = accountsOf(view);
  const common = { chain, transport: http(endpoints.http), pollingInterval: POLL_INTERVAL_MS };
  const walletOf = (account: number | PrivateKeyAccount) =>
    createWalletClient({ ...common, account: accountAt(accounts, account) }).extend(walletActionsL2());
  return {
    name: view.name,
    rpc: endpoints.http,
    ws: endpoints.ws,
    chain,
    accounts,
    nodes: view.nodes.map(({ name }) => name),
    public: createPublicClient(common).extend(publicActionsL2()),
    get wallet() {
      return walletOf(0);
    },
    test: createTestClient({ ...common, mode: 'anvil' }).extend(() => rollupTestActions(moves)),
    walletOf,
  };
}

/** Makes the client of one node of a rollup. */
export function nodeClient(plan: Plan, chain: string, rpc: string): RollupClient {
  const common = { chain: rollupChain(plan, chain), transport: http(rpc), pollingInterval: POLL_INTERVAL_MS };
  return createPublicClient(common).extend(publicActionsL2());
}

function rollupChain(plan: Plan, name: string): RollupChain {
  const { contracts, ...definition } = present(viemChains(plan).rollups[name], 'definition of a chain');
  const onL1 = (key: string): OnL1 => {
    const contract = contracts[key];
    return contract === undefined || 'address' in contract ? {} : { ...contract };
  };
  const l1Contracts = {
    portal: onL1('portal'),
    l1StandardBridge: onL1('l1StandardBridge'),
    l1CrossDomainMessenger: onL1('l1CrossDomainMessenger'),
    systemConfig: onL1('systemConfig'),
    l2OutputOracle: onL1('l2OutputOracle'),
    disputeGameFactory: onL1('disputeGameFactory'),
  };
  const chain = defineChain({ ...chainConfig, ...fields(definition) });
  return {
    ...chain,
    sourceId: definition.sourceId,
    contracts: { ...chainConfig.contracts, ...contracts, ...l1Contracts },
  };
}

/** Copies the lists of a definition, which viem takes as its own. */
function fields<T extends { readonly rpcUrls: { readonly default: Record<'http' | 'webSocket', readonly string[]> } }>(
  definition: T,
) {
  const { http: urls, webSocket } = definition.rpcUrls.default;
  return { ...definition, rpcUrls: { default: { http: [...urls], webSocket: [...webSocket] } } };
}

function accountsOf(chain: ChainView | undefined): readonly PrivateKeyAccount[] {
  const accounts = chain?.accounts ?? [];
  return accounts.flatMap(({ role, privateKey }) =>
    role === undefined && privateKey !== undefined ? [privateKeyToAccount(privateKey)] : [],
  );
}

function accountAt(accounts: readonly PrivateKeyAccount[], choice: number | PrivateKeyAccount): PrivateKeyAccount {
  if (typeof choice !== 'number') return choice;
  const entry = accounts[choice];
  if (entry !== undefined) return entry;
  const allowed = accounts.length === 0 ? 'none: no key is known' : `0 to ${accounts.length - 1}`;
  throw new UsageError('account', `there is no funded account ${choice}; expected ${allowed}`);
}
