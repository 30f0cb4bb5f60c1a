import { PREDEPLOYS } from '../execution/predeploys.ts';
import { lowerHex } from '../hex.ts';
import type { Hex } from '../types.ts';
import { balanceOf } from './alloc.ts';
import type { GenesisContracts } from './contracts.ts';
import { isMap, numberOf } from './file/account-reader.ts';
import type { ChainGenesisInputs } from './inputs.ts';
import { tokensOf } from './tokens.ts';

/** The ether of a genesis state of L2 that L1 has to pay out. */
export interface GenesisFunds {
  /** Decimal wei of all accounts together. */
  readonly ether: string;
  /** Tokens with balances. L1's bridge holds nothing for them. */
  readonly tokens: readonly string[];
  /** Whether withdrawals can be initiated: the L2ToL1MessagePasser has code. */
  readonly canWithdraw: boolean;
}

/** Computes the funds of the state that `l2Alloc` makes, without its code. @throws GenesisError */
export function l2Funds(
  { accounts, alloc = {} }: Pick<ChainGenesisInputs, 'accounts' | 'alloc'>,
  { l2 }: Pick<GenesisContracts, 'l2'>,
): GenesisFunds {
  const balances = new Map<Hex, bigint>();
  for (let index = 0; index < l2.precompiles; index++) balances.set(`0x${index.toString(16).padStart(40, '0')}`, 1n);
  for (const account of accounts) balances.set(...balanceOf(account));
  for (const [address, { balance }] of Object.entries(alloc))
    if (balance !== undefined) balances.set(lowerHex(address), BigInt(balance));
  return { ether: sum(balances.values()), tokens: tokensOf(alloc), canWithdraw: true };
}

/** Computes the funds of the `alloc` of an existing chain's genesis file. A value that is no number counts as none. */
export function genesisFunds(alloc: Readonly<Record<string, unknown>>): GenesisFunds {
  const accounts: Record<Hex, { balance: bigint; code: string; storage: object }> = {};
  for (const [key, value] of Object.entries(alloc)) {
    if (!isMap(value)) continue;
    const { balance, code, storage } = value;
    accounts[lowerHex(key.startsWith('0x') ? key : `0x${key}`)] = {
      balance: numberOf(balance) ?? 0n,
      code: typeof code === 'string' ? code : '0x',
      storage: isMap(storage) ? storage : {},
    };
  }
  return {
    ether: sum(Object.values(accounts).map(({ balance }) => balance)),
    tokens: tokensOf(accounts),
    canWithdraw: (accounts[PREDEPLOYS.l2ToL1MessagePasser]?.code.length ?? 0) > 2,
  };
}

function sum(balances: Iterable<bigint>): string {
  let total = 0n;
  for (const balance of balances) total += balance;
  return String(total);
}
