import type { Hex } from 'viem';
import { getBalance } from 'viem/actions';
import { EXIT, Failure } from '../../system/failure.ts';
import { etherText } from '../../system/numbers/human.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import { chainAt, type Wallet, walletAt } from './transaction.ts';

/** Amount (wei) kept for the fees of a few transactions on L1. */
const FEE_RESERVE_WEI = 10n ** 16n;

/** Returns the private key of a funded account. @throws Failure `account` (exit 2) */
export function keyOf({ name, accounts }: ChainView, index: number): Hex {
  const usable = accounts.filter(({ role, privateKey }) => role === undefined && privateKey !== undefined);
  const key = usable[index]?.privateKey;
  if (key !== undefined) return key;
  const allowed = usable.length === 0 ? 'none' : `0 to ${usable.length - 1}`;
  throw new Failure('account', `${name} has no funded account ${index}; expected ${allowed}`, { exit: EXIT.usage });
}

/**
 * Returns a funded account of the chain with at least this balance (wei) on L1.
 * Takes the last one that has it: scripts of users begin with the first. `timeoutMs`: see {@link chainAt}.
 * @throws Failure `payer` if none has it
 */
export async function payerOnL1(plan: Plan, chain: ChainView, amount: bigint, timeoutMs?: number): Promise<Wallet> {
  const url = plan.network.l1.rpc;
  const l1 = chainAt(url, timeoutMs);
  const accounts = await Promise.all(
    chain.accounts.flatMap(({ address, privateKey, role }) =>
      privateKey === undefined || role !== undefined ? [] : [withBalance(address, privateKey)],
    ),
  );
  const payer = accounts.findLast(({ balance }) => balance >= amount + FEE_RESERVE_WEI);
  if (payer !== undefined) return walletAt(url, payer.privateKey, timeoutMs);
  throw new Failure(
    'payer',
    accounts.length === 0
      ? `${chain.name} has no funded account whose key is known`
      : `no account of ${chain.name} has ${etherText(amount)} on L1: ` +
          `the largest balance is ${etherText(largest(accounts))}`,
    { hint: `ask for less, or raise chains.${chain.name}.accounts in the spec` },
  );

  async function withBalance(address: Hex, privateKey: Hex) {
    return { privateKey, balance: await getBalance(l1, { address }) };
  }
}

function largest(accounts: readonly { readonly balance: bigint }[]): bigint {
  let most = 0n;
  for (const { balance } of accounts) if (balance > most) most = balance;
  return most;
}
