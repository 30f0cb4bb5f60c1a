import type { DepositTransaction } from '../../../protocol/codec/deposit.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import type { TransactionScope } from '../evm/transaction-scope.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import { checkGas } from '../transaction/intrinsic-gas.ts';
import { accountAt, inTransaction, resultOf, settleGas, type TransactionResult, warm } from './transition.ts';

/**
 * Runs a deposit (specification: Deposits, Execution).
 * A deposit that fails keeps its mint and a raised nonce. Only a lack of block gas makes the block invalid. op-geth
 * does this in `stateTransition.execute` (core/state_transition.go).
 * @throws TransactionInvalid gas limit reached
 */
export async function applyDeposit(
  vm: BlockEvm,
  deposit: DepositTransaction,
  gasLeft: bigint,
): Promise<TransactionResult & { readonly nonce: bigint }> {
  const { state, rules } = vm;
  const { metered } = rules.deposit;
  const gasLimit = BigInt(deposit.gas);
  const free = deposit.isSystemTransaction && !metered;
  if (!free && gasLimit > gasLeft)
    throw new TransactionInvalid('gas limit reached', `have ${gasLeft}, want ${gasLimit}`);
  const from = hexToBytes(deposit.from);
  const nonce = state.account(from)?.nonce ?? 0n;
  if (deposit.mint > 0n) await inTransaction(vm, (scope) => scope.credit(from, deposit.mint));
  const unmetered = free ? 0n : gasLimit;
  try {
    const result = await inTransaction(vm, (scope) => execute(vm, scope, deposit));
    return { ...result, gasUsed: metered ? result.gasUsed : unmetered, nonce };
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    await inTransaction(vm, (scope) => raiseNonce(vm, scope, from));
    return {
      success: false,
      gasUsed: unmetered,
      logs: [],
      returnValue: new Uint8Array(0),
      failure: error.message,
      nonce,
    };
  }
}

async function execute(vm: BlockEvm, scope: TransactionScope, deposit: DepositTransaction): Promise<TransactionResult> {
  if (deposit.isSystemTransaction && vm.rules.deposit.metered)
    throw new TransactionInvalid('system transaction not supported');
  const from = hexToBytes(deposit.from);
  const to = deposit.to === null ? null : hexToBytes(deposit.to);
  const gasLimit = BigInt(deposit.gas);
  const shape = { gasLimit, to, data: hexToBytes(deposit.data), accessList: [], authorizationList: [] };
  const { gas: intrinsic, floor } = checkGas(vm.rules.evm, shape);
  const balance = vm.state.account(from)?.balance ?? 0n;
  if (deposit.value > balance)
    throw new TransactionInvalid('insufficient funds for gas * price + value', `have ${balance} want ${deposit.value}`);
  warm(vm, scope, { sender: from, to, accessList: [] });
  raiseNonce(vm, scope, from);
  const result = await scope.run({
    caller: from,
    to,
    value: deposit.value,
    data: shape.data,
    gasLimit: gasLimit - intrinsic,
    gasPrice: 0n,
  });
  return resultOf(result, settleGas(intrinsic + result.gasUsed, result.refund, floor));
}

function raiseNonce(vm: BlockEvm, scope: TransactionScope, address: Uint8Array): void {
  const account = accountAt(vm, address);
  scope.setAccount(address, { ...account, nonce: account.nonce + 1n });
}
