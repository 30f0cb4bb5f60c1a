import type { Fault } from '../../../evm/machine/state.ts';
import { blobGasOf } from '../../../protocol/execution/blob-gas.ts';
import { FEE_RECIPIENTS } from '../../../protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { atLeast } from '../../../protocol/rules/evm-level.ts';
import type { BlobParameters } from '../../../protocol/rules/rules.ts';
import type { BlockContext, BlockEvm } from '../evm/evm-factory.ts';
import type { ExecutionLog, MessageResult } from '../evm/message.ts';
import { TransactionScope } from '../evm/transaction-scope.ts';
import { EMPTY_ACCOUNT, isEmptyCodeHash, type StoredAccount } from '../state/account.ts';
import { TransactionInvalid, type TransactionProblem } from '../transaction/errors.ts';
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
  readonly logs: readonly ExecutionLog[];
  readonly createdAddress?: Uint8Array;
  readonly returnValue: Uint8Array;
  /** Why it failed: `revert`, `out of gas`, … */
  readonly failure?: string;
  /** The opcode with which its outermost frame failed. */
  readonly fault?: Fault;
}

/** Fees beside gas that a transaction pays on a rollup. */
export interface ExtraFees {
  readonly l1Fee: bigint;
  /** Returns wei for an amount of gas. null: the rules have no operator fee. */
  readonly operatorFee: ((gas: bigint) => bigint) | null;
}

const BASE_FEE_VAULT = hexToBytes(FEE_RECIPIENTS.base);
const L1_FEE_VAULT = hexToBytes(FEE_RECIPIENTS.l1);
const OPERATOR_FEE_VAULT = hexToBytes(FEE_RECIPIENTS.operator);

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

  return inTransaction(vm, async (scope) => {
    warm(vm, scope, transaction);
    const payer = accountAt(vm, transaction.sender);
    const prepaid = transaction.gasLimit * price + upfront + blobGas * (context.blobBaseFee ?? 0n);
    scope.setAccount(transaction.sender, { ...payer, nonce: payer.nonce + 1n, balance: payer.balance - prepaid });
    const authorizationRefund = applyAuthorizations(vm, scope, transaction.authorizationList);
    const result = await scope.run({
      caller: transaction.sender,
      to: transaction.to,
      value: transaction.value,
      data: transaction.data,
      gasLimit: transaction.gasLimit - intrinsic,
      gasPrice: price,
      ...(transaction.blobVersionedHashes === undefined
        ? {}
        : { blobHashes: transaction.blobVersionedHashes.map(bytesToHex) }),
    });
    const gasUsed = settleGas(intrinsic + result.gasUsed, authorizationRefund + result.refund, floor);
    const operatorFeeDue = fees?.operatorFee?.(gasUsed) ?? 0n;
    scope.credit(transaction.sender, (transaction.gasLimit - gasUsed) * price + operatorFee - operatorFeeDue);
    scope.credit(hexToBytes(context.coinbase), gasUsed * (price - context.baseFee));
    if (fees !== null) {
      scope.credit(BASE_FEE_VAULT, gasUsed * context.baseFee);
      scope.credit(L1_FEE_VAULT, fees.l1Fee);
      if (fees.operatorFee !== null) scope.credit(OPERATOR_FEE_VAULT, operatorFeeDue);
    }
    return resultOf(result, gasUsed);
  });
}

/**
 * Runs the body of a transaction in one checkpoint, which is reverted when the body throws.
 * `reportsAccess`: the body asks what its message has accessed.
 */
export async function inTransaction<Result>(
  vm: BlockEvm,
  body: (scope: TransactionScope) => Result | Promise<Result>,
  { reportsAccess = false } = {},
): Promise<Result> {
  const { depth } = vm.state;
  await vm.state.checkpoint();
  const scope = new TransactionScope(vm, reportsAccess);
  try {
    const result = await body(scope);
    scope.end();
    await vm.state.commit();
    return result;
  } catch (error) {
    await vm.state.revertTo(depth);
    throw error;
  }
}

/** Returns an account, or an empty one if it does not exist. */
export function accountAt({ state }: BlockEvm, address: Uint8Array): StoredAccount {
  return state.account(address) ?? EMPTY_ACCOUNT;
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

/** Converts the result of a message to that of its transaction. */
export function resultOf(
  { failure, fault, logs, createdAddress, returnValue }: MessageResult,
  gasUsed: bigint,
): TransactionResult {
  return {
    success: failure === undefined,
    gasUsed,
    logs: failure === undefined ? logs : [],
    ...(createdAddress === undefined ? {} : { createdAddress }),
    returnValue,
    ...(failure === undefined ? {} : { failure }),
    ...(fault === undefined ? {} : { fault }),
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
  const invalid = nonceProblem(transaction.nonce, nonce);
  if (invalid !== undefined)
    throw new TransactionInvalid(
      invalid,
      `address ${bytesToHex(transaction.sender)}, tx: ${transaction.nonce} state: ${nonce}`,
    );
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

/** Compares the nonce of a transaction with that of its sender. */
function nonceProblem(nonce: bigint, expected: bigint): TransactionProblem | undefined {
  if (nonce < expected) return 'nonce too low';
  if (nonce > expected) return 'nonce too high';
  return expected >= MAX_NONCE ? 'nonce has max value' : undefined;
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
export function warm(
  vm: BlockEvm,
  scope: TransactionScope,
  { sender, to, accessList }: Pick<SignedTransaction, 'sender' | 'to' | 'accessList'>,
): void {
  scope.warmPrecompiles();
  scope.warm(sender);
  if (to !== null) scope.warm(to);
  if (atLeast(vm.rules.evm, 'shanghai')) scope.warm(hexToBytes(vm.context.coinbase));
  for (const { address, storageKeys } of accessList) scope.warmListed(address, storageKeys);
}

/**
 * Sets the valid delegations (EIP-7702), as geth's `validateAuthorization` and `applyAuthorization`.
 * Returns the refund for accounts that exist already.
 */
export function applyAuthorizations(vm: BlockEvm, scope: TransactionScope, list: readonly Authorization[]): bigint {
  const { state, chainId } = vm;
  let refund = 0n;
  for (const entry of list) {
    if (!isForChain(entry, chainId)) continue;
    const authority = authorityOf(entry);
    if (authority === undefined) continue;
    scope.warm(authority);
    const existing = state.account(authority);
    const code = state.code(authority);
    if (code.length > 0 && !isDelegation(code)) continue;
    const account = existing ?? EMPTY_ACCOUNT;
    if (account.nonce !== entry.nonce) continue;
    if (existing !== undefined) refund += 12_500n;
    scope.setAccount(authority, { ...account, nonce: account.nonce + 1n });
    const cleared = entry.address.every((byte) => byte === 0);
    state.setCode(authority, cleared ? new Uint8Array(0) : Uint8Array.of(...DELEGATION, ...entry.address));
  }
  return refund;
}
