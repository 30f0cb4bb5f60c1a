import type { Rules } from '../../../protocol/rules/rules.ts';
import { readFees } from '../block/fees.ts';
import type { Chain } from '../chain/chain.ts';
import type { StoredAccount } from '../state/account.ts';
import { byteKey } from '../state/byte-key.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';

/** The head's state and the rules of the next block, as the pool needs them. */
export interface HeadState {
  readonly chainId: number;
  readonly rules: Rules;
  /** Gas of a block for pooled transactions. */
  readonly gasLimit: bigint;
  /** Base fee of the next block in wei. */
  readonly baseFee: bigint;
  nonce(address: Uint8Array): bigint;
  balance(address: Uint8Array): bigint;
  code(address: Uint8Array): Uint8Array;
  /** L1 data fee plus operator fee in wei. */
  extraFee(transaction: SignedTransaction): bigint;
}

/** Gas that op-geth and op-reth reserve for the L1-attributes deposit of a block (op-geth: `l1InfoGasOverhead`). */
const L1_ATTRIBUTES_GAS = 70_000n;

/** Reads the head state of a chain (geth: `LegacyPool.reset`, op-geth: `EffectiveGasLimit`). */
export function headStateOf(
  chain: Pick<Chain, 'head' | 'chainId' | 'definition' | 'stateOf' | 'rulesAt' | 'baseFeeAfter'>,
): HeadState {
  const { header } = chain.head;
  const state = chain.stateOf(header);
  const accounts = new Map<string, StoredAccount | undefined>();
  const account = (address: Uint8Array) => {
    const key = byteKey(address);
    if (!accounts.has(key)) accounts.set(key, state.account(address));
    return accounts.get(key);
  };
  const rules = chain.rulesAt(header.timestamp + 1n);
  const fees = readFees(rules, (address, slot) => state.storage(account(address), slot));
  const reserved = chain.definition.optimism === undefined ? 0n : L1_ATTRIBUTES_GAS;
  return {
    chainId: chain.chainId,
    rules,
    gasLimit: header.gasLimit > reserved ? header.gasLimit - reserved : 0n,
    baseFee: chain.baseFeeAfter(header, header.timestamp + 1n),
    nonce: (address) => account(address)?.nonce ?? 0n,
    balance: (address) => account(address)?.balance ?? 0n,
    code: (address) => state.code(account(address)),
    extraFee: ({ raw, gasLimit }) => (fees.l1?.cost(raw).fee ?? 0n) + (fees.operator?.cost(gasLimit) ?? 0n),
  };
}
