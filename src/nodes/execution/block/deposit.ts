import { Account, type Address } from '@ethereumjs/util';
import type { DepositTransaction } from '../../../protocol/codec/deposit.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { addressOf, type BlockEvm, credit } from '../evm/evm-factory.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import { checkGas } from '../transaction/intrinsic-gas.ts';
import { destroyAccounts, inTransaction, resultOf, settleGas, type TransactionResult, warm } from './transition.ts';

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
  const from = addressOf(deposit.from);
  const nonce = state.account(from.bytes)?.nonce ?? 0n;
  if (deposit.mint > 0n) await inTransaction(vm, () => credit(vm, from, deposit.mint));
  const unmetered = free ? 0n : gasLimit;
  try {
    const result = await inTransaction(vm, () => execute(vm, deposit, from));
    return { ...result, gasUsed: metered ? result.gasUsed : unmetered, nonce };
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    await inTransaction(vm, () => raiseNonce(vm, from));
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

async function execute(vm: BlockEvm, deposit: DepositTransaction, from: Address): Promise<TransactionResult> {
  if (deposit.isSystemTransaction && vm.rules.deposit.metered)
    throw new TransactionInvalid('system transaction not supported');
  const to = deposit.to === null ? null : hexToBytes(deposit.to);
  const gasLimit = BigInt(deposit.gas);
  const shape = { gasLimit, to, data: hexToBytes(deposit.data), accessList: [], authorizationList: [] };
  const { gas: intrinsic, floor } = checkGas(vm.rules.evm, shape);
  const balance = vm.state.account(from.bytes)?.balance ?? 0n;
  if (deposit.value > balance)
    throw new TransactionInvalid('insufficient funds for gas * price + value', `have ${balance} want ${deposit.value}`);
  warm(vm, { sender: from.bytes, to, accessList: [] });
  await raiseNonce(vm, from);
  const { execResult, createdAddress } = await vm.evm.runCall({
    block: vm.block,
    gasPrice: 0n,
    caller: from,
    gasLimit: gasLimit - intrinsic,
    ...(to === null ? {} : { to: addressOf(to) }),
    value: deposit.value,
    data: shape.data,
    skipNonceIncrement: true,
  });
  const gasUsed = settleGas(intrinsic + execResult.executionGasUsed, execResult.gasRefund ?? 0n, floor);
  await destroyAccounts(vm, execResult);
  return resultOf(execResult, gasUsed, createdAddress);
}

async function raiseNonce(vm: BlockEvm, address: Address): Promise<void> {
  const account = (await vm.state.getAccount(address)) ?? new Account();
  account.nonce += 1n;
  await vm.evm.journal.putAccount(address, account);
}
