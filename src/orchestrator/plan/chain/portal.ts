import type { ChainGenesisInputs, ExtraAlloc, GenesisFunds } from '../../../protocol/genesis/index.ts';
import { etherText } from '../../../system/numbers/human.ts';
import type { PlanInputs } from '../inputs.ts';
import type { Plan } from '../plan.ts';
import type { PlannedChain } from './planned-chain.ts';

/** The most (wei) that a portal holds at genesis. Above it a deposit could overflow its balance. */
const MAX_PORTAL_WEI = 2n ** 255n;

/** Why the portal of an L1 that has begun can be short. */
const EARLIER = 'an earlier version of devnet began this L1';

/** Returns what a chain's portal holds at genesis in decimal wei: all ether of L2. */
export function portalBalanceOf(chainId: number, { ether }: GenesisFunds, { portals }: PlanInputs): string {
  if (portals !== undefined) return portals[chainId] ?? '0';
  return BigInt(ether) > MAX_PORTAL_WEI ? String(MAX_PORTAL_WEI) : ether;
}

/** Returns what the portals of a planned network hold at genesis: decimal wei by chain id. */
export function portalsOf({ files }: Pick<Plan, 'files'>): Readonly<Record<string, string>> {
  const chains = files.flatMap(({ content }) => (content.kind === 'l1-genesis' ? content.inputs.chains : []));
  // The stored plan of an earlier version has no such value: its portals hold nothing.
  const balances = chains.map(({ chainId, withdrawals }) => [chainId, withdrawals.portalBalance ?? '0'] as const);
  return Object.fromEntries(balances);
}

/**
 * Returns a notice for each portal that an earlier version of devnet left without the ether of L2. Its stored plan
 * does not say what portals hold. `fundsOf` reads what the genesis state of a chain has.
 */
export function earlierPortalNotices(
  { files, network }: Pick<Plan, 'files' | 'network'>,
  fundsOf: (chain: ChainGenesisInputs, genesisFile: string) => GenesisFunds,
): readonly string[] {
  const geneses = files.flatMap(({ content }) => (content.kind === 'l1-genesis' ? [content.inputs] : []));
  return geneses.flatMap(({ chains, alloc = {} }) =>
    chains.flatMap((chain) => {
      const view = network.chains.find(({ chainId }) => chainId === chain.chainId);
      if (view === undefined || chain.withdrawals.portalBalance !== undefined) return [];
      const balance = BigInt(alloc[view.contracts.l1['OptimismPortal'] ?? '0x']?.balance ?? 0);
      const funds = fundsOf(chain, view.genesisFile);
      return balance < BigInt(funds.ether) ? [`${shortPortalNotice(view.name, balance, funds)}: ${EARLIER}`] : [];
    }),
  );
}

function shortPortalNotice(name: string, balance: bigint, { ether }: GenesisFunds): string {
  return (
    `${name}: its portal on L1 holds ${etherText(balance)} of the ${etherText(BigInt(ether))} ` +
    `that L2 has at genesis: ` +
    'withdrawals beyond it are lost until deposits have brought the rest'
  );
}

/** Returns what of a chain's genesis state cannot be withdrawn, and why. `alloc`: accounts of the user's on L1. */
export function portalNotices(chain: PlannedChain, { portals }: PlanInputs, alloc: ExtraAlloc = {}): readonly string[] {
  const { name, funds, contracts, genesis, genesisFile, spec } = chain;
  if (!funds.canWithdraw)
    return [`${name}: nothing can be withdrawn: ${genesisFile} has no L2ToL1MessagePasser (0x4200…0016)`];
  const notices: string[] = [];
  const balance = BigInt(alloc[contracts['OptimismPortal'] ?? '0x']?.balance ?? genesis.withdrawals.portalBalance);
  if (balance < BigInt(funds.ether))
    notices.push(shortPortalNotice(name, balance, funds) + (portals === undefined ? '' : `: ${EARLIER}`));
  if (funds.tokens.length > 0)
    notices.push(
      `${name}: the tokens that ${spec.from === null ? 'its alloc' : genesisFile} gives cannot be withdrawn to L1, ` +
        `because L1's bridge holds none of them: ${funds.tokens.join(', ')}`,
    );
  return notices;
}
