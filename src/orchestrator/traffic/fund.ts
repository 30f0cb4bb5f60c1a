import type { Hex } from 'viem';
import { getBalance } from 'viem/actions';
import { Failure } from '../../system/failure.ts';
import { endpointsOf } from '../plan/chain/endpoints.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import { type Deposited, deposit } from './deposit.ts';
import { payerOnL1 } from './payer.ts';
import { chainAt, type ReceiptOf } from './transaction.ts';

export interface Funding {
  readonly address: Hex;
  /** wei */
  readonly amount: bigint;
}

export interface Funded extends Deposited {
  /** Of the address on L2 in the block of the deposit, wei. */
  readonly balance: bigint;
}

/** Gas limit on L2: enough for the receive function of a wallet contract. */
const FUND_GAS_LIMIT = 200_000n;

/**
 * Mints an amount to an address of a chain by a deposit of an account on L1. Returns when the sequencer has it.
 * @throws Failure `deposit` if the address refuses the amount
 */
export async function fund(
  plan: Plan,
  chain: ChainView,
  { address, amount }: Funding,
  timeoutMs: number,
  receipt?: ReceiptOf,
): Promise<Funded> {
  const wallet = await payerOnL1(plan, chain, amount, timeoutMs);
  const request = { to: address, value: amount, mint: amount, gas: FUND_GAS_LIMIT, data: '0x' } as const;
  const done = await deposit(plan, chain, wallet, request, timeoutMs, receipt);
  if (done.l2.status !== 'success')
    throw new Failure(
      'deposit',
      `${address} on ${chain.name} refused the amount: ${done.l2.transactionHash} reverted`,
      {
        hint: `it is a contract that takes no ether; ${wallet.account.address} holds the amount on ${chain.name}`,
      },
    );
  const l2 = chainAt(endpointsOf(chain).http, timeoutMs);
  return { ...done, balance: await getBalance(l2, { address, blockNumber: done.l2.blockNumber }) };
}
