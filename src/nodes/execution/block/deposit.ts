import { Account, type Address } from '@ethereumjs/util';
import type { DepositTransaction } from '../../../protocol/codec/deposit.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { addressOf, credit, type Machine } from '../evm/machine.ts';
import { checkGas } from '../transaction/intrinsic-gas.ts';
import { TransactionInvalid } from './errors.ts';
import { destroyAccounts, inTransaction, resultOf, settleGas, type TransactionResult, warm } from './transition.ts';

/**
 * Runs a deposit (specification: Deposits, Execution). It never makes a block invalid, except by lack of block gas: what cannot run leaves
 * its mint and a raised nonce behind. @throws TransactionInvalid gas limit reached
 */
export async function applyDeposit(
  machine: Machine,
  deposit: DepositTransaction,
  gasLeft: bigint,
): Promise<TransactionResult & { readonly nonce: bigint }> {
  const { state, rules } = machine;
  const { metered } = rules.deposit;
  const gasLimit = BigInt(deposit.gas);
  const free = deposit.isSystemTransaction && !metered;
  if (!free && gasLimit > gasLeft)
    throw new TransactionInvalid('gas limit reached', `have ${gasLeft}, want ${gasLimit}`);
  const from = addressOf(deposit.from);
  const nonce = state.account(from.bytes)?.nonce ?? 0n;
  if (deposit.mint > 0n) await inTransaction(machine, () => credit(machine, from, deposit.mint));
  const unmetered = free ? 0n : gasLimit;
  try {
    const result = await inTransaction(machine, () => execute(machine, deposit, from));
    return { ...result, gasUsed: metered ? result.gasUsed : unmetered, nonce };
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    await inTransaction(machine, () => raiseNonce(machine, from));
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

async function execute(machine: Machine, deposit: DepositTransaction, from: Address): Promise<TransactionResult> {
  if (deposit.isSystemTransaction && machine.rules.deposit.metered)
    throw new TransactionInvalid('system transaction not supported');
  const to = deposit.to === null ? null : hexToBytes(deposit.to);
  const gasLimit = BigInt(deposit.gas);
  const shape = { gasLimit, to, data: hexToBytes(deposit.data), accessList: [], authorizationList: [] };
  const { gas: intrinsic, floor } = checkGas(machine.rules.evm, shape);
  const balance = machine.state.account(from.bytes)?.balance ?? 0n;
  if (deposit.value > balance)
    throw new TransactionInvalid('insufficient funds for gas * price + value', `have ${balance} want ${deposit.value}`);
  warm(machine, { sender: from.bytes, to, accessList: [] });
  await raiseNonce(machine, from);
  const { execResult, createdAddress } = await machine.evm.runCall({
    block: machine.block,
    gasPrice: 0n,
    caller: from,
    gasLimit: gasLimit - intrinsic,
    ...(to === null ? {} : { to: addressOf(to) }),
    value: deposit.value,
    data: shape.data,
    skipNonceIncrement: true,
  });
  const gasUsed = settleGas(intrinsic + execResult.executionGasUsed, execResult.gasRefund ?? 0n, floor);
  await destroyAccounts(machine, execResult);
  return resultOf(execResult, gasUsed, createdAddress);
}

async function raiseNonce(machine: Machine, address: Address): Promise<void> {
  const account = (await machine.state.getAccount(address)) ?? new Account();
  account.nonce += 1n;
  await machine.evm.journal.putAccount(address, account);
}
