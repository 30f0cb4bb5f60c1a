import { type BlockHeader, headerHash } from '../../../protocol/codec/header.ts';
import { type ReceiptLog, summarizeReceipts } from '../../../protocol/codec/receipt.ts';
import { orderedTrieRoot } from '../../../protocol/codec/trie.ts';
import { ZERO_HASH } from '../../../protocol/execution/constants.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import { runToCompletion } from '../../../protocol/resumable.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import type { BlockEnvironment } from '../block/block-environment.ts';
import type { Receipt } from '../block/receipt.ts';
import { sealedHeader, withdrawalsRootIn } from '../block/seal.ts';
import { applyPreExecutionCalls } from '../block/system-calls.ts';
import type { CallArguments } from '../call/call-arguments.ts';
import { type CallBlock, evmInBlock, hashesBefore } from '../call/call-evm.ts';
import { execute, namedPrice, type Simulation } from '../call/simulate.ts';
import { unsignedTransaction } from '../call/unsigned.ts';
import type { Block } from '../chain/block.ts';
import type { BlockContext, BlockEvm } from '../evm/evm-factory.ts';
import { CallTimeout } from '../evm/execution-budget.ts';
import { revertError, unpackRevert } from '../evm/revert.ts';
import { vmErrorMessage } from '../evm/vm-error.ts';
import { commitState } from '../state/commit.ts';
import { StateJournal } from '../state/state-journal.ts';
import { inspect } from '../tracing/inspector.ts';
import { type ResponseSizeLimit, responseSizeLimit } from '../tracing/response-size-limit.ts';
import { TransferTracer } from '../tracing/tracers/transfer-tracer.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import { effectiveGasPrice, type SignedTransaction } from '../transaction/transaction.ts';
import { blockView } from '../views/block.ts';
import { logPositionOf, logView } from '../views/receipt.ts';
import { minedView } from '../views/transaction.ts';
import type { QueryContext, QueryFlavour, QueryLimits } from './context.ts';
import type { SimulatedCalls, SimulationArguments } from './simulation-arguments.ts';

type Json = Readonly<Record<string, unknown>>;

/** Error codes of eth_simulateV1 by the problem of a call or block (execution-apis). */
const CODES: { readonly [Code in TransactionInvalid['code']]?: number } = {
  'nonce too low': -38010,
  'nonce too high': -38011,
  'max fee per gas less than block base fee': -38012,
  'intrinsic gas too low': -38013,
  'insufficient funds for gas * price + value': -38014,
  'max initcode size exceeded': -38025,
};
const BLOCK_GAS_LIMIT = -38015;
const BLOCK_NUMBER = -38020;
const BLOCK_TIME = -38021;
const TOO_MANY_BLOCKS = -38026;
const VM_ERROR = -32015;

/** A call that ran in a simulated block. */
interface SimulatedCall {
  readonly transaction: SignedTransaction;
  readonly result: Simulation;
  readonly logs: readonly ReceiptLog[];
  /** {@link logs} with those of plain transfers, if they are requested. Receipts do not contain these. */
  readonly shownLogs: readonly ReceiptLog[];
}

/**
 * Simulates blocks of calls on the state after a block, as geth's `simulator.execute`.
 * @throws RpcError if one cannot run
 */
export async function simulateBlocks(
  context: QueryContext,
  base: CallBlock,
  simulation: SimulationArguments,
): Promise<Json[]> {
  const { chain, flavour, limits, newBudget } = context;
  const state = new StateJournal(chain.stateOf(base.header));
  const budget = newBudget(limits.callTime);
  const hashes = new Map<number, Hex>([[base.header.number, base.hash]]);
  const hashBefore = hashesBefore(chain, base);
  const views: Json[] = [];
  let parent = base.header;
  let gasLeft = limits.gasCap;
  const sizeLimit = responseSizeLimit(context);
  for (const planned of inOrder(simulation.blockStateCalls, base.header, limits)) {
    const environment = environmentOf(context, parent, planned, simulation.validation === true);
    const blockHash = (number: number) => {
      const simulated = hashes.get(number);
      return simulated === undefined ? hashBefore(number) : hexToBytes(simulated);
    };
    const setting = { state: planned.stateOverrides, block: planned.blockOverrides, budget };
    const vm = evmInBlock(chain, state, { ...environment, blockHash }, setting);
    await applyPreExecutionCalls(vm, present(hashes.get(parent.number), 'hash of the parent'), ZERO_HASH);
    const ran: SimulatedCall[] = [];
    for (const call of planned.calls ?? []) {
      const left = blockGasLeft(vm, ran);
      const one = await runOne(vm, call, { simulation, left, gasCap: gasLeft, flavour, sizeLimit });
      gasLeft -= one.result.gasUsed;
      ran.push(one);
    }
    const block = sealed(vm, parent, present(hashes.get(parent.number), 'hash of the parent'), ran);
    hashes.set(block.header.number, block.hash);
    parent = block.header;
    views.push(view(context, block, ran, simulation.returnFullTransactions === true));
  }
  return views;
}

/** Returns the blocks with number and timestamp, and with empty blocks in the gaps. */
function inOrder(blocks: readonly SimulatedCalls[], base: BlockHeader, limits: QueryLimits): SimulatedCalls[] {
  const step = BigInt(limits.simulatedBlockTime);
  const all: SimulatedCalls[] = [];
  let { number, timestamp } = base;
  for (const block of blocks) {
    const target = block.blockOverrides?.number ?? number + 1;
    if (target <= number) throw new RpcError(BLOCK_NUMBER, `block numbers must be in order: ${target} <= ${number}`);
    if (target - base.number > limits.simulatedBlocks) throw new RpcError(TOO_MANY_BLOCKS, 'too many blocks');
    while (number + 1 < target) {
      timestamp += step;
      all.push({ blockOverrides: { number: ++number, timestamp, hashes: new Map() } });
    }
    const time = block.blockOverrides?.timestamp ?? timestamp + step;
    if (time <= timestamp) throw new RpcError(BLOCK_TIME, `block timestamps must be in order: ${time} <= ${timestamp}`);
    [number, timestamp] = [target, time];
    all.push({
      ...block,
      blockOverrides: { hashes: new Map(), ...block.blockOverrides, number: target, timestamp: time },
    });
  }
  return all;
}

function environmentOf(
  { chain }: QueryContext,
  parent: BlockHeader,
  { blockOverrides }: SimulatedCalls,
  validation: boolean,
): Omit<BlockContext, 'blockHash'> {
  const timestamp = present(blockOverrides?.timestamp, 'time of a simulated block');
  return {
    number: parent.number + 1,
    timestamp,
    coinbase: parent.beneficiary,
    prevRandao: ZERO_HASH,
    gasLimit: parent.gasLimit,
    baseFee: validation ? chain.baseFeeAfter(parent, timestamp) : 0n,
  };
}

function blockGasLeft({ context }: BlockEvm, ran: readonly SimulatedCall[]): bigint {
  return ran.reduce((left, { result }) => left - result.gasUsed, context.gasLimit);
}

async function runOne(
  vm: BlockEvm,
  call: CallArguments,
  options: {
    readonly simulation: SimulationArguments;
    readonly left: bigint;
    readonly gasCap: bigint;
    readonly flavour: QueryFlavour;
    readonly sizeLimit: ResponseSizeLimit;
  },
): Promise<SimulatedCall> {
  const { simulation, left, gasCap, flavour, sizeLimit } = options;
  const { state, context } = vm;
  if (call.gas != null && call.gas > left)
    throw new RpcError(BLOCK_GAS_LIMIT, `block gas limit reached: ${call.gas} > ${left}`);
  const next = state.account(hexToBytes(call.from ?? `0x${'00'.repeat(20)}`))?.nonce ?? 0n;
  const complete: CallArguments = {
    ...call,
    nonce: call.nonce ?? next,
    gas: call.gas ?? left,
  };
  const tracer = new TransferTracer(sizeLimit);
  const inspection = simulation.traceTransfers ? inspect(vm, tracer) : undefined;
  try {
    if (simulation.validation) {
      checkNonce(complete.nonce ?? next, next);
      checkPrice(namedPrice(complete), context.baseFee);
    }
    const result = await execute(vm, complete, { gasCap, flavour });
    const logs = result.logs.map(([address, topics, data]) => ({
      address: bytesToHex(address),
      topics: topics.map(bytesToHex),
      data: bytesToHex(data),
    }));
    const transaction = unsignedTransaction(complete, vm.chainId, result.gasLimit);
    return { transaction, result, logs, shownLogs: simulation.traceTransfers ? tracer.result() : logs };
  } catch (error) {
    if (error instanceof TransactionInvalid) throw flavour.errors.simulationRejected(error, CODES[error.code]);
    if (error instanceof CallTimeout) throw new RpcError(RPC_CODE.server, error.message);
    throw error;
  } finally {
    inspection?.end();
  }
}

function checkNonce(nonce: bigint, next: bigint): void {
  if (nonce < next) throw new TransactionInvalid('nonce too low', `next nonce ${next}, tx nonce ${nonce}`);
  if (nonce > next) throw new TransactionInvalid('nonce too high', `next nonce ${next}, tx nonce ${nonce}`);
}

/** A call without a price offers zero, which is too little in a block with a base fee. */
function checkPrice(offered: bigint, baseFee: bigint): void {
  if (offered < baseFee)
    throw new TransactionInvalid(
      'max fee per gas less than block base fee',
      `maxFeePerGas: ${offered}, baseFee: ${baseFee}`,
    );
}

function sealed(vm: BlockEvm, parent: BlockHeader, parentHash: Hex, ran: readonly SimulatedCall[]): Block {
  const { context: blockContext, rules, state } = vm;
  const diff = runToCompletion(commitState(state.reader, state.changes()));
  let cumulativeGasUsed = 0n;
  const receipts = ran.map(({ transaction, result, logs }): Receipt => {
    cumulativeGasUsed += result.gasUsed;
    return {
      type: transaction.type,
      transactionHash: transaction.hash,
      from: bytesToHex(transaction.sender),
      to: transaction.to === null ? null : bytesToHex(transaction.to),
      status: result.success,
      gasUsed: result.gasUsed,
      cumulativeGasUsed,
      effectiveGasPrice: effectiveGasPrice(transaction, blockContext.baseFee),
      contractAddress: null,
      logs,
    };
  });
  const transactions = ran.map(({ transaction }) => transaction.raw);
  // The base fee parameters of the parent continue.
  const { extraData } = parent;
  const environment: BlockEnvironment = {
    ...blockContext,
    parentHash,
    feeRecipient: blockContext.coinbase,
    extraData,
    parentBeaconBlockRoot: ZERO_HASH,
  };
  const header = sealedHeader(rules, environment, {
    stateRoot: bytesToHex(diff.root),
    transactionsRoot: bytesToHex(orderedTrieRoot(transactions)),
    ...runToCompletion(summarizeReceipts(receipts)),
    gasUsed: cumulativeGasUsed,
    blobGas: 0n,
    withdrawalsRoot: withdrawalsRootIn(rules, state.reader, diff, []),
    requests: [],
  });
  return { hash: headerHash(header), header, transactions, withdrawals: [], receipts: { receipts, feeFields: {} } };
}

function view({ flavour }: QueryContext, block: Block, ran: readonly SimulatedCall[], full: boolean): Json {
  let logIndex = 0;
  const calls = ran.map(({ result, shownLogs }, position) => ({
    // Revert data is part of the error only.
    returnData: result.success ? bytesToHex(result.returnValue) : '0x',
    logs: shownLogs.map((log) => logView(logPositionOf(block, position, logIndex++), log, false, flavour.views)),
    gasUsed: quantity(result.gasUsed),
    maxUsedGas: quantity(result.maxUsedGas),
    status: result.success ? '0x1' : '0x0',
    ...(result.failure === undefined ? {} : { error: callError(result) }),
  }));
  const transactions = full
    ? ran.map(({ transaction }, position) => minedView(block, position, transaction, flavour.views))
    : undefined;
  return { ...blockView(block, false, flavour.views), ...(transactions && { transactions }), calls };
}

function callError({ failure, fault, returnValue }: Simulation): Json {
  if (failure !== 'revert') return { code: VM_ERROR, message: vmErrorMessage(failure ?? 'execution failed', fault) };
  const { code, message, data } = revertError(returnValue, unpackRevert(returnValue));
  return { code, message, data };
}
