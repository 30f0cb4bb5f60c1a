import type { ChainView, Plan } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import { TRANSACTION_TIMEOUT_MS } from '../transaction.ts';
import type { Item } from './kinds.ts';

/** Sums of what waits for its inclusion. */
export interface Waiting {
  readonly count: number;
  /** Gas of the transactions on L2. */
  readonly gas: bigint;
  /** Gas on L2 that deposits buy which L1 has not included. */
  readonly depositGas: bigint;
  readonly blobs: number;
}

/** Returns whether one more transaction may wait. The network takes what waits within a few blocks. */
export type HasRoom = (item: Item, waiting: Waiting) => boolean;

/** Transactions that may be sent without being in a block. */
const IN_FLIGHT = 200;

/** Blocks of L2 that what waits may fill, and blobs that may wait: those of two blocks of L1. */
const MAX_WAITING_BLOCKS = 3n;
const MAX_WAITING_BLOBS = 12;

/** `resourceConfig()` of the system config on L1. */
const RESOURCE_CONFIG = '0xcc731b02';

/** Gas of deposits in a block of L1 if the system config does not tell: the target of public chains. */
const DEPOSIT_TARGET = 2_000_000n;

/**
 * Reads from the chain how much may wait. `gasLimit`: of a block of L2.
 * Deposits above the target of a block raise their price, so that the portal burns more gas than they have, and above
 * its limit they revert.
 */
export async function roomOf(plan: Plan, chain: ChainView, gasLimit: number): Promise<HasRoom> {
  const target = await depositTarget(plan, chain);
  const most = MAX_WAITING_BLOCKS * BigInt(gasLimit);
  return ({ layer, gas, depositGas, blobs = 0 }, waiting) =>
    waiting.count < IN_FLIGHT &&
    (layer === 'l1' || waiting.gas === 0n || waiting.gas + gas <= most) &&
    (depositGas === undefined || waiting.depositGas === 0n || waiting.depositGas + depositGas <= target) &&
    (waiting.blobs === 0 || waiting.blobs + blobs <= MAX_WAITING_BLOBS);
}

async function depositTarget({ network }: Plan, { contracts }: ChainView): Promise<bigint> {
  const to = contracts.l1['SystemConfig'];
  if (to === undefined) return DEPOSIT_TARGET;
  const params = [{ to, data: RESOURCE_CONFIG }, 'latest'];
  const answer = await clientFor(network.l1.rpc)
    .call<string>('eth_call', params, { timeoutMs: TRANSACTION_TIMEOUT_MS })
    .catch(() => '0x');
  const [limit, elasticity] = [2, 66].map((from) => answer.slice(from, from + 64));
  return limit === undefined || elasticity?.length !== 64 || BigInt(`0x${elasticity}`) === 0n
    ? DEPOSIT_TARGET
    : BigInt(`0x${limit}`) / BigInt(`0x${elasticity}`);
}
