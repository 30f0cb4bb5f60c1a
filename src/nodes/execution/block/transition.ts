import type { ExecResult, Log } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import { blobGasOf } from '../../../protocol/execution/blob-gas.ts';
import { FEE_RECIPIENTS } from '../../../protocol/execution/predeploys.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { atLeast } from '../../../protocol/rules/evm-level.ts';
import type { BlobParameters } from '../../../protocol/rules/rules.ts';
import { addressOf, type BlockContext, type BlockEvm, credit } from '../evm/evm-factory.ts';
import { isEmptyCodeHash } from '../state/account.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import { checkGas } from '../transaction/intrinsic-gas.ts';
import {
  type Authorization,
  authorityOf,
  effectiveGasPrice,
  isDelegation,
  isForChain,
  MAX_NONCE,
  type SignedTransaction,
} from '../transaction/transaction.ts';

/** Result of a transaction (geth: `ExecutionResult`). Gas and wei. */
export interface TransactionResult {
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly logs: readonly Log[];
  readonly createdAddress?: Uint8Array;
  readonly returnValue: Uint8Array;
  /** The EVM library's message: `revert`, `out of gas`, … */
  readonly failure?: string;
}

/** Fees beside gas that a transaction pays on a rollup. */
export interface ExtraFees {
  readonly l1Fee: bigint;
  /** Returns wei for an amount of gas. null: the rules have no operator fee. */
  readonly operatorFee: ((gas: bigint) => bigint) | null;
}

const BASE_FEE_VAULT = addressOf(FEE_RECIPIENTS.base);
const L1_FEE_VAULT = addressOf(FEE_RECIPIENTS.l1);
const OPERATOR_FEE_VAULT = addressOf(FEE_RECIPIENTS.operator);

const DELEGATION = Uint8Array.of(0xef, 0x01, 0x00);

/**
 * Runs a signed transaction: Ethereum's state transition with the rollup's fees.
 * geth's counterpart is `ApplyMessage` (core/state_transition.go). The state is unchanged when it throws.
 * `fees` is null on a plain Ethereum chain, which burns the base fee. `gasLeft` is the rest of the block's gas.
 * @throws TransactionInvalid
 */
export async function applyTransaction(
  vm: BlockEvm,
  transaction: SignedTransaction,
  fees: ExtraFees | null,
  gasLeft: bigint,
): Promise<TransactionResult> {
  const { state, context, rules } = vm;
  const sender = state.account(transaction.sender);
  checkTransaction(vm, transaction, gasLeft);
  const { gas: intrinsic, floor } = checkGas(rules.evm, transaction);
  const price = effectiveGasPrice(transaction, context.baseFee);
  const operatorFee = fees?.operatorFee?.(transaction.gasLimit) ?? 0n;
  const blobGas = blobGasOf(transaction);
  const upfront = (fees?.l1Fee ?? 0n) + operatorFee;
  const needed =
    transaction.gasLimit * transaction.maxFeePerGas +
    transaction.value +
    upfront +
    blobGas * (transaction.maxFeePerBlobGas ?? 0n);
  if ((sender?.balance ?? 0n) < needed) {
    throw new TransactionInvalid(
      'insufficient funds for gas * price + value',
      `address ${bytesToHex(transaction.sender)} have ${sender?.balance ?? 0n} want ${needed}`,
    );
  }

  return inTransaction(vm, async () => {
    warm(vm, transaction);
    const caller = new Address(transaction.sender);
    const payer = (await state.getAccount(caller)) ?? new Account();
    payer.balance -= transaction.gasLimit * price + upfront + blobGas * (context.blobBaseFee ?? 0n);
    payer.nonce += 1n;
    await vm.evm.journal.putAccount(caller, payer);
    const authorizationRefund = await applyAuthorizations(vm, transaction.authorizationList);
    const { execResult, createdAddress } = await vm.evm.runCall({
      block: vm.block,
      gasPrice: price,
      caller,
      gasLimit: transaction.gasLimit - intrinsic,
      ...(transaction.to === null ? {} : { to: new Address(transaction.to) }),
      value: transaction.value,
      data: transaction.data,
      ...(transaction.blobVersionedHashes === undefined
        ? {}
        : { blobVersionedHashes: transaction.blobVersionedHashes.map(bytesToHex) }),
      skipNonceIncrement: true,
    });
    const gasBeforeRefund = intrinsic + execResult.executionGasUsed;
    const gasUsed = settleGas(gasBeforeRefund, authorizationRefund + (execResult.gasRefund ?? 0n), floor);
    const operatorFeeDue = fees?.operatorFee?.(gasUsed) ?? 0n;
    await credit(vm, caller, (transaction.gasLimit - gasUsed) * price + operatorFee - operatorFeeDue);
    await credit(vm, vm.block.header.coinbase, gasUsed * (price - context.baseFee));
    if (fees !== null) {
      await credit(vm, BASE_FEE_VAULT, gasUsed * context.baseFee);
      await credit(vm, L1_FEE_VAULT, fees.l1Fee);
      if (fees.operatorFee !== null) await credit(vm, OPERATOR_FEE_VAULT, operatorFeeDue);
    }
    await destroyAccounts(vm, execResult);
    return resultOf(execResult, gasUsed, createdAddress);
  });
}

/** Runs the body of a transaction in one checkpoint, which is reverted when the body throws. */
export async function inTransaction<Result>(vm: BlockEvm, body: () => Promise<Result>): Promise<Result> {
  const { journal } = vm.evm;
  const { depth } = vm.state;
  await journal.checkpoint();
  try {
    const result = await body();
    await journal.cleanup();
    await vm.state.commit();
    return result;
  } catch (error) {
    await vm.state.revertTo(depth);
    journal.cleanJournal();
    throw error;
  } finally {
    vm.evm.transientStorage.clear();
    vm.state.originalStorageCache.clear();
  }
}

/**
 * Returns the gas that is charged: refunds up to a fifth (EIP-3529), at least the calldata floor (EIP-7623).
 * Counterparts in geth: `settleGas`, `calcRefund`.
 */
export function settleGas(gasBeforeRefund: bigint, refund: bigint, floor: bigint): bigint {
  const most = gasBeforeRefund / 5n;
  const settled = gasBeforeRefund - (refund < most ? refund : most);
  return settled < floor ? floor : settled;
}

/** Converts a result of the EVM library to that of a transaction. */
export function resultOf(
  execResult: ExecResult,
  gasUsed: bigint,
  createdAddress: Address | undefined,
): TransactionResult {
  const failure = execResult.exceptionError?.error;
  return {
    success: failure === undefined,
    gasUsed,
    logs: failure === undefined ? (execResult.logs ?? []) : [],
    ...(createdAddress === undefined ? {} : { createdAddress: createdAddress.bytes }),
    returnValue: execResult.returnValue,
    ...(failure === undefined ? {} : { failure }),
  };
}

/** Checks a transaction before it pays (geth: `preCheck`). @throws TransactionInvalid */
function checkTransaction(vm: BlockEvm, transaction: SignedTransaction, gasLeft: bigint): void {
  const { state, rules, context, chainId } = vm;
  const { type } = transaction;
  if (type === 4 && !atLeast(rules.evm, 'prague')) throw new TransactionInvalid('transaction type not supported');
  if (type === 3) checkBlobs(transaction, context, rules.ethereum?.blobs ?? null);
  if (transaction.chainId !== undefined && transaction.chainId !== BigInt(chainId))
    throw new TransactionInvalid('invalid chain id for signer', `have ${transaction.chainId} want ${chainId}`);
  const account = state.account(transaction.sender);
  const nonce = account?.nonce ?? 0n;
  const details = `address ${bytesToHex(transaction.sender)}, tx: ${transaction.nonce} state: ${nonce}`;
  if (transaction.nonce < nonce) throw new TransactionInvalid('nonce too low', details);
  if (transaction.nonce > nonce) throw new TransactionInvalid('nonce too high', details);
  if (nonce >= MAX_NONCE) throw new TransactionInvalid('nonce has max value', details);
  if (account !== undefined && !isEmptyCodeHash(account.codeHash)) {
    const delegated = atLeast(rules.evm, 'prague') && isDelegation(state.code(transaction.sender));
    if (!delegated) throw new TransactionInvalid('sender not an eoa', `address ${bytesToHex(transaction.sender)}`);
  }
  if (transaction.maxFeePerGas < transaction.maxPriorityFeePerGas)
    throw new TransactionInvalid('max priority fee per gas higher than max fee per gas');
  if (transaction.maxFeePerGas < context.baseFee)
    throw new TransactionInvalid(
      'max fee per gas less than block base fee',
      `address ${bytesToHex(transaction.sender)}, ` +
        `maxFeePerGas: ${transaction.maxFeePerGas}, baseFee: ${context.baseFee}`,
    );
  if (type === 4 && transaction.authorizationList.length === 0)
    throw new TransactionInvalid('EIP-7702 transaction with empty auth list');
  const cap = rules.precompiles.transactionGasCap;
  if (cap !== undefined && transaction.gasLimit > BigInt(cap))
    throw new TransactionInvalid('transaction gas limit too high', `cap ${cap}, tx ${transaction.gasLimit}`);
  if (transaction.gasLimit > gasLeft)
    throw new TransactionInvalid('gas limit reached', `have ${gasLeft}, want ${transaction.gasLimit}`);
}

/** Checks the blob hashes and their price: EIP-4844, and EIP-7594 for the blobs of one transaction. */
function checkBlobs(transaction: SignedTransaction, context: BlockContext, parameters: BlobParameters | null): void {
  if (parameters === null) throw new TransactionInvalid('transaction type not supported');
  const { blobVersionedHashes: hashes = [], maxFeePerBlobGas = 0n } = transaction;
  if (hashes.length === 0 || hashes.some((hash) => hash[0] !== 1))
    throw new TransactionInvalid('blob transaction without or with malformed blob hashes');
  if (hashes.length > parameters.maxPerTransaction)
    throw new TransactionInvalid('too many blobs', `have ${hashes.length}, at most ${parameters.maxPerTransaction}`);
  const price = context.blobBaseFee ?? 1n;
  if (maxFeePerBlobGas < price)
    throw new TransactionInvalid(
      'max fee per blob gas less than block blob gas fee',
      `have ${maxFeePerBlobGas}, want ${price}`,
    );
}

/** Marks the addresses and slots that are warm from the start (EIP-2929, 2930, 3651; geth: `StateDB.Prepare`). */
export function warm(vm: BlockEvm, transaction: Pick<SignedTransaction, 'sender' | 'to' | 'accessList'>): void {
  const { journal } = vm.evm;
  for (const address of vm.precompiles) journal.addAlwaysWarmAddress(address);
  journal.addAlwaysWarmAddress(bytesToHex(transaction.sender));
  if (transaction.to !== null) journal.addAlwaysWarmAddress(bytesToHex(transaction.to));
  if (atLeast(vm.rules.evm, 'shanghai')) journal.addAlwaysWarmAddress(vm.context.coinbase);
  for (const { address, storageKeys } of transaction.accessList) {
    journal.addAlwaysWarmAddress(bytesToHex(address), true);
    for (const key of storageKeys) journal.addAlwaysWarmSlot(bytesToHex(address), bytesToHex(key), true);
  }
}

/**
 * Sets the valid delegations (EIP-7702), as geth's `validateAuthorization` and `applyAuthorization`.
 * Returns the refund for accounts that exist already.
 */
export async function applyAuthorizations(vm: BlockEvm, list: readonly Authorization[]): Promise<bigint> {
  const { state, evm, chainId } = vm;
  let refund = 0n;
  for (const entry of list) {
    if (!isForChain(entry, chainId)) continue;
    const authority = authorityOf(entry);
    if (authority === undefined) continue;
    evm.journal.addAlwaysWarmAddress(bytesToHex(authority));
    const address = new Address(authority);
    const existing = await state.getAccount(address);
    const code = state.code(authority);
    if (code.length > 0 && !isDelegation(code)) continue;
    const account = existing ?? new Account();
    if (account.nonce !== entry.nonce) continue;
    if (existing !== undefined) refund += 12_500n;
    account.nonce += 1n;
    await evm.journal.putAccount(address, account);
    const cleared = entry.address.every((byte) => byte === 0);
    state.setCode(authority, cleared ? new Uint8Array(0) : Uint8Array.of(...DELEGATION, ...entry.address));
  }
  return refund;
}

/**
 * Removes the accounts that ran SELFDESTRUCT (geth: `opSelfdestruct6780`).
 * From cancun on only those created in the same transaction (EIP-6780).
 */
export async function destroyAccounts(vm: BlockEvm, execResult: ExecResult): Promise<void> {
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (atLeast(vm.rules.evm, 'cancun') && !execResult.createdAddresses?.has(address)) continue;
    await vm.evm.journal.deleteAccount(addressOf(address));
  }
}
