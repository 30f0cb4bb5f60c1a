import { ZERO_ADDRESS } from '../../../protocol/execution/constants.ts';
import { FEE_RECIPIENTS } from '../../../protocol/execution/predeploys.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { RpcError } from '../../../rpc/error.ts';
import {
  accountAt,
  applyAuthorizations,
  inTransaction,
  resultOf,
  settleGas,
  type TransactionResult,
  warm,
} from '../block/transition.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import { CallTimeout } from '../evm/execution-budget.ts';
import type { AccessedAccount } from '../evm/message.ts';
import type { TransactionScope } from '../evm/transaction-scope.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import { checkGas } from '../transaction/intrinsic-gas.ts';
import type { AccessListEntry, Authorization } from '../transaction/transaction.ts';
import type { CallArguments } from './call-arguments.ts';
import { type CallBlock, type CallEnvironment, evmAtBlock } from './call-evm.ts';
import type { CallFlavour } from './context.ts';

const BASE_FEE_VAULT = hexToBytes(FEE_RECIPIENTS.base);

/** Result of a call. */
export interface Simulation extends TransactionResult {
  /** Gas before refunds. */
  readonly maxUsedGas: bigint;
  /** Gas limit of the run. */
  readonly gasLimit: bigint;
  /** Addresses and slots that the call touched, if they were asked for. */
  readonly accessList: readonly AccessedAccount[];
}

/** Options of a call on the state after a block. */
export interface CallOptions extends CallEnvironment {
  /** Behaviour and errors of the client for calls. */
  readonly flavour: CallFlavour;
  /** Replaces the gas limit of the call. */
  readonly gas?: bigint;
  /** Maximum gas of a call, and the gas of a call that names none. */
  readonly gasCap: bigint;
  /** The caller reads the access list of the result. Otherwise it is empty. */
  readonly reportsAccess?: boolean;
}

/** Options of a call on an existing EVM. */
export type RunOptions = Pick<CallOptions, 'gas' | 'gasCap' | 'flavour' | 'reportsAccess'>;

/**
 * Runs a call on a copy of the state after a block (geth: `DoCall`). Fees are paid only if the call names a price.
 * @throws RpcError if it cannot start or exceeds its time
 */
export async function simulate(
  chain: Chain,
  at: CallBlock,
  call: CallArguments,
  options: CallOptions,
): Promise<Simulation> {
  return runCall(evmOfCall(chain, at, call, options), call, options);
}

/** Creates an EVM for runs of a call on the state after a block. Without a price, the base fee is 0. */
export function evmOfCall(chain: Chain, at: CallBlock, call: CallArguments, setting: CallEnvironment): BlockEvm {
  return evmAtBlock(chain, at, setting, namedPrice(call) === 0n ? 0n : undefined);
}

/** Runs a call on an EVM and takes its changes back. @throws RpcError if it cannot start or exceeds its time */
export async function tryCall(vm: BlockEvm, call: CallArguments, options: RunOptions): Promise<Simulation> {
  const { depth } = vm.state;
  await vm.state.checkpoint();
  try {
    return await runCall(vm, call, options);
  } finally {
    await vm.state.revertTo(depth);
  }
}

/** Runs a call on an EVM and keeps its changes. @throws RpcError if it cannot start or exceeds its time */
export async function runCall(vm: BlockEvm, call: CallArguments, options: RunOptions): Promise<Simulation> {
  return withCallErrors(options, () => execute(vm, call, options));
}

/** Converts the errors of a call that cannot start or exceeds its time. @throws RpcError of the flavour */
export async function withCallErrors<Result>(
  { flavour }: Pick<RunOptions, 'flavour'>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TransactionInvalid) throw flavour.errors.callRejected(error);
    if (error instanceof CallTimeout) throw new RpcError(-32000, error.message);
    throw error;
  }
}

/** Like `runCall`. @throws TransactionInvalid, CallTimeout */
export async function execute(vm: BlockEvm, call: CallArguments, options: RunOptions): Promise<Simulation> {
  const { baseFee } = vm.context;
  if (call.chainId != null && call.chainId !== BigInt(vm.chainId))
    throw new RpcError(-32000, `chainId does not match node's (have=${call.chainId}, want=${vm.chainId})`);
  const price = priceOf(call, baseFee);
  const shape = messageOfCall(call, gasOf(vm, call, options));
  if (call.maxFeePerGas != null && call.maxFeePerGas < (call.maxPriorityFeePerGas ?? 0n))
    throw new TransactionInvalid('max priority fee per gas higher than max fee per gas');
  const isAnyPrice = call.gasPrice != null && options.flavour.calls.anyGasPrice;
  if (namedPrice(call) > 0n && namedPrice(call) < baseFee && !isAnyPrice)
    throw new TransactionInvalid(
      'max fee per gas less than block base fee',
      `maxFeePerGas: ${price}, baseFee: ${baseFee}`,
    );
  checkAuthorizations(call);
  const { gas: intrinsic, floor } = checkGas(vm.rules.evm, shape);
  requireFunds(vm, shape.sender, shape.value + shape.gasLimit * namedPrice(call));
  const body = async (scope: TransactionScope): Promise<Simulation> => {
    warm(vm, scope, shape);
    const account = accountAt(vm, shape.sender);
    const balance = account.balance - shape.gasLimit * price;
    scope.setAccount(shape.sender, { ...account, nonce: account.nonce + 1n, balance });
    const refund = applyAuthorizations(vm, scope, shape.authorizationList);
    const result = await scope.run({
      caller: shape.sender,
      to: shape.to,
      value: shape.value,
      data: shape.data,
      gasLimit: shape.gasLimit - intrinsic,
      gasPrice: price,
    });
    const maxUsedGas = intrinsic + result.gasUsed;
    const gasUsed = settleGas(maxUsedGas, refund + result.refund, floor);
    if (price > 0n) {
      scope.credit(shape.sender, (shape.gasLimit - gasUsed) * price);
      scope.credit(hexToBytes(vm.context.coinbase), gasUsed * (price > baseFee ? price - baseFee : 0n));
      if (vm.rules.ethereum === null) scope.credit(BASE_FEE_VAULT, gasUsed * baseFee);
    }
    return {
      ...resultOf(result, gasUsed),
      maxUsedGas: settleGas(maxUsedGas, 0n, floor),
      gasLimit: shape.gasLimit,
      accessList: scope.accessed(),
    };
  };
  return inTransaction(vm, body, { reportsAccess: options.reportsAccess ?? false });
}

/** Checks that a call with authorizations could be sent (EIP-7702, geth: `preCheck`). @throws TransactionInvalid */
function checkAuthorizations({ authorizationList, to, from }: CallArguments): void {
  if (authorizationList == null) return;
  const sender = `(sender ${from ?? ZERO_ADDRESS})`;
  if (to == null) throw new TransactionInvalid('EIP-7702 transaction cannot be used to create contract', sender);
  if (authorizationList.length === 0) throw new TransactionInvalid('EIP-7702 transaction with empty auth list', sender);
}

/** Returns the gas limit of a call. @throws TransactionInvalid if the value exceeds the balance */
export function gasOf(vm: BlockEvm, call: CallArguments, { gas, gasCap, flavour }: RunOptions): bigint {
  const limit = gas ?? call.gas;
  if (limit != null) return least(limit, gasCap);
  const price = namedPrice(call);
  if (price === 0n || !flavour.calls.capsPricedCalls) return gasCap;
  const { sender, value } = messageOfCall(call, 0n);
  requireFunds(vm, sender, value);
  const affordable = ((vm.state.account(sender)?.balance ?? 0n) - value) / price;
  return least(least(affordable, vm.context.gasLimit), gasCap);
}

/** Returns the maximum price of a call in wei per gas. 0: the call names no price and pays none. */
export function namedPrice({ gasPrice, maxFeePerGas }: CallArguments): bigint {
  return gasPrice ?? maxFeePerGas ?? 0n;
}

/** Returns the effective price of a call in wei per gas. */
function priceOf(call: CallArguments, baseFee: bigint): bigint {
  return call.gasPrice ?? least(call.maxFeePerGas ?? 0n, baseFee + (call.maxPriorityFeePerGas ?? 0n));
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** Converts a call to the fields of a transaction (geth: `ToMessage`). */
export function messageOfCall(call: CallArguments, gasLimit: bigint) {
  const accessList: AccessListEntry[] = (call.accessList ?? []).map(({ address, storageKeys }) => ({
    address: hexToBytes(address),
    storageKeys: storageKeys.map(hexToBytes),
  }));
  const authorizationList: Authorization[] = (call.authorizationList ?? []).map((entry) => ({
    ...entry,
    address: hexToBytes(entry.address),
  }));
  return {
    sender: hexToBytes(call.from ?? `0x${'00'.repeat(20)}`),
    to: call.to == null ? null : hexToBytes(call.to),
    value: call.value ?? 0n,
    data: hexToBytes(call.input ?? call.data ?? '0x'),
    gasLimit,
    accessList,
    authorizationList,
  };
}

function requireFunds(vm: BlockEvm, sender: Uint8Array, needed: bigint): void {
  const balance = vm.state.account(sender)?.balance ?? 0n;
  if (balance >= needed) return;
  const address = `0x${Buffer.from(sender).toString('hex')}`;
  throw new TransactionInvalid(
    'insufficient funds for gas * price + value',
    `address ${address} have ${balance} want ${needed}`,
  );
}
