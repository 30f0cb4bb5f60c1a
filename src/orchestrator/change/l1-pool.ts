import { EXIT, Failure } from '../../system/failure.ts';
import type { ControlClient } from '../control/client.ts';
import { type Devnet, viewOf, withControl } from '../devnet/select.ts';
import type { Plan } from '../plan/plan.ts';

/** What becomes of a transaction that waits on L1. */
export const POOL_ACTIONS = ['drop', 'replace', 'hold'] as const;

export type PoolAction = (typeof POOL_ACTIONS)[number];

/** A fault of L1's pool. */
export interface L1PoolFault {
  readonly id: number;
  readonly action: PoolAction;
  readonly from: string;
  /** Absent until the sender has sent a transaction. */
  readonly nonce?: number;
}

/** Slots of an epoch. */
const EPOCH_SLOTS = 32;

interface PoolFaultRequest {
  readonly action: PoolAction;
  /** A hash, `batcher` or `proposer`, or one of them after its chain: `main/batcher`. */
  readonly of: string;
  /** With hold: so many epochs. Absent: until it is healed. */
  readonly epochs?: number | undefined;
}

/** Drops, replaces or holds a transaction. Returns the faults that are left. @throws Failure */
export async function faultL1Pool(
  devnet: Devnet,
  { action, of, epochs }: PoolFaultRequest,
): Promise<readonly L1PoolFault[]> {
  const target = poolTarget(viewOf(devnet).plan, of);
  const slots = epochs === undefined ? {} : { slots: epochs * EPOCH_SLOTS };
  return asking(devnet, { method: 'l1-pool', action, target, ...slots });
}

/** Ends a fault of L1's pool. Without an id it only lists them. Returns those that are left. @throws Failure */
export async function l1PoolFaults(devnet: Devnet, heal?: number): Promise<readonly L1PoolFault[]> {
  return asking(devnet, { method: 'l1-pool-faults', ...(heal === undefined ? {} : { heal }) });
}

/** Reads the word for a transaction. @throws Failure (exit 2) */
export function poolTarget({ network }: Plan, word: string): { readonly hash: string } | { readonly from: string } {
  if (/^0x[0-9a-f]{64}$/i.test(word)) return { hash: word.toLowerCase() };
  const [chain, role] = word.includes('/') ? word.split('/') : [undefined, word];
  const account = network.chains
    .filter(({ name }) => chain === undefined || name === chain)
    .flatMap(({ accounts }) => accounts)
    .find((each) => (role === 'batcher' || role === 'proposer') && each.role === role);
  if (account !== undefined) return { from: account.address };
  throw new Failure('usage', `expected the hash of a transaction, batcher or CHAIN/batcher, found ${word}`, {
    exit: EXIT.usage,
  });
}

type PoolRequest = Parameters<ControlClient['ask']>[0];

async function asking(devnet: Devnet, request: PoolRequest): Promise<readonly L1PoolFault[]> {
  const { faults } = await withControl(devnet, (control) =>
    control.ask<{ readonly faults: readonly L1PoolFault[] }>(request),
  );
  return faults;
}
