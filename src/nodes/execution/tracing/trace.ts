import { contractAddress } from '../../../protocol/accounts/contract-address.ts';
import { type DepositTransaction, decodeDeposit } from '../../../protocol/codec/deposit.ts';
import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import { BlockExecutor } from '../block/executor.ts';
import { extraFees, readFees } from '../block/fees.ts';
import { applyTransaction } from '../block/transition.ts';
import type { CallArguments } from '../call/call-arguments.ts';
import { gasOf, messageOfCall, type RunOptions, runCall, withCallErrors } from '../call/simulate.ts';
import type { Chain } from '../chain/chain.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { environmentOfBlock } from '../engine/validate.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import { type ExecutionBudget, withCallTimeout } from '../evm/execution-budget.ts';
import { intrinsicGas } from '../transaction/intrinsic-gas.ts';
import {
  type Authorization,
  authorityOf,
  decodeTransaction,
  identityOf,
  isDeposit,
  isForChain,
  type SignedTransaction,
} from '../transaction/transaction.ts';
import type { TraceContext } from './context.ts';
import { inspect } from './inspector.ts';
import type { Traced, Tracer } from './tracer.ts';

/** A block to execute again: a stored one, or one decoded on a known parent. */
export type Traceable = Pick<UnexecutedBlock, 'header' | 'transactions' | 'withdrawals'>;

/** Result of a tracer for one transaction. */
export interface TransactionTrace<Result> {
  readonly position: number;
  readonly hash: Hex;
  readonly result: Result;
}

/**
 * Executes a block again and traces the transactions at `positions` (geth: `traceBlock`, eth/tracers/api.go).
 * Later transactions do not run. @throws RpcError if it exceeds `limitMs` per transaction
 */
export async function traceBlock<Result>(
  { chain, newBudget }: TraceContext,
  block: Traceable,
  positions: readonly number[],
  tracerFor: () => Tracer<Result>,
  limitMs: number,
): Promise<TransactionTrace<Result>[]> {
  const targets = new Set(positions);
  const last = Math.max(-1, ...positions);
  const traces: TransactionTrace<Result>[] = [];
  await withCallTimeout(async () => {
    const executor = await reopen(chain, block, newBudget(limitMs * Math.max(1, last + 1)));
    for (let position = 0; position <= last; position++) {
      const raw = present(block.transactions[position], `transaction ${position}`);
      if (!targets.has(position)) {
        await executor.run(raw);
        continue;
      }
      const result = await traceNext(executor, raw, tracerFor());
      traces.push({ position, hash: isDeposit(raw) ? keccak256(raw) : identityOf(raw).hash, result });
    }
  });
  return traces;
}

/**
 * Returns the EVM after the first `count` transactions of a block (geth: `stateAtTransaction`).
 * @throws RpcError if it exceeds its time
 */
export async function evmAtTransaction(
  chain: Chain,
  block: Traceable,
  count: number,
  budget: ExecutionBudget,
): Promise<BlockEvm> {
  return withCallTimeout(async () => {
    const executor = await reopen(chain, block, budget);
    for (const raw of block.transactions.slice(0, count)) await executor.run(raw);
    return executor.vm;
  });
}

/** Traces a call on an EVM (geth: `TraceCall`). @throws RpcError if it cannot start or exceeds its time */
export async function traceCall(
  vm: BlockEvm,
  call: CallArguments,
  tracer: Tracer,
  options: RunOptions,
): Promise<unknown> {
  const shape = messageOfCall(call, call.gas ?? (await withCallErrors(options, () => gasOf(vm, call, options))));
  tracer.start?.(vm, {
    ...parties(vm, bytesToHex(shape.sender), call.to ?? null),
    gas: shape.gasLimit,
    value: shape.value,
    input: shape.data,
    paysFees: true,
    authorities: authorities(vm, shape.authorizationList),
  });
  return inspected(vm, tracer, () => runCall(vm, call, options));
}

/** Traces a signed transaction on an EVM, with all fees of a block. @throws TransactionInvalid */
export async function traceSigned(vm: BlockEvm, transaction: SignedTransaction, tracer: Tracer): Promise<unknown> {
  const { rules, state, context } = vm;
  const fees = readFees(rules, (address, slot) => state.word(address, slot));
  const extra = extraFees(rules, fees, fees.l1?.cost(transaction.raw).fee ?? 0n);
  tracer.start?.(vm, tracedTransaction(vm, transaction));
  return inspected(vm, tracer, () => applyTransaction(vm, transaction, extra, context.gasLimit));
}

async function inspected<Result>(
  vm: BlockEvm,
  tracer: Tracer<Result>,
  run: () => Promise<{ readonly gasUsed: bigint }>,
): Promise<Result> {
  const inspection = inspect(vm, tracer);
  try {
    const { gasUsed } = await run();
    const outer = inspection.end();
    return tracer.result({ gasUsed, returnValue: outer?.output ?? new Uint8Array(0), ...errorOf(outer?.error) });
  } finally {
    inspection.end();
  }
}

async function reopen(chain: Chain, block: Traceable, budget: ExecutionBudget): Promise<BlockExecutor> {
  const { header } = block;
  const parent = chain.header(header.parentHash);
  if (parent === undefined) throw new RpcError(-32000, `parent ${header.parentHash} not found`);
  const parentContext = chain.parentContextOf(header.parentHash, parent, header.timestamp);
  return BlockExecutor.open(parentContext, environmentOfBlock(block), { budget, isReplay: true });
}

/** Runs the next transaction of a block with a tracer (geth: `traceTx`). */
async function traceNext<Result>(executor: BlockExecutor, raw: Uint8Array, tracer: Tracer<Result>): Promise<Result> {
  const { vm } = executor;
  const before = executor.gasLeft;
  const transaction = isDeposit(raw) ? undefined : decodeTransaction(raw);
  tracer.start?.(vm, transaction === undefined ? tracedDeposit(vm, raw) : tracedTransaction(vm, transaction));
  const inspection = inspect(vm, tracer);
  try {
    if (transaction === undefined) await executor.run(raw);
    else await executor.transaction(transaction);
  } finally {
    inspection.end();
  }
  const outer = inspection.end();
  const gasUsed = before - executor.gasLeft;
  const error = outer === undefined ? 'failed deposit transaction' : outer.error;
  return tracer.result({
    gasUsed,
    returnValue: outer?.output ?? new Uint8Array(0),
    ...(outer === undefined ? { unrun: { gas: gasForCode(vm, decodeDeposit(raw)) } } : {}),
    ...errorOf(error),
  });
}

/** Returns the gas of a deposit for code, or undefined if it does not pay for the data. */
function gasForCode({ rules }: BlockEvm, { to, data, gas }: DepositTransaction): bigint | undefined {
  const shape = {
    to: to === null ? null : hexToBytes(to),
    data: hexToBytes(data),
    accessList: [],
    authorizationList: [],
  };
  const left = BigInt(gas) - intrinsicGas(rules.evm, shape).gas;
  return left < 0n ? undefined : left;
}

function errorOf(error: string | undefined): { readonly error?: string } {
  return error === undefined ? {} : { error };
}

function tracedDeposit(vm: BlockEvm, raw: Uint8Array): Traced {
  const { from, to, gas, value, data } = decodeDeposit(raw);
  const input = hexToBytes(data);
  return { ...parties(vm, from, to), gas: BigInt(gas), value, input, paysFees: false, authorities: [] };
}

function tracedTransaction(vm: BlockEvm, transaction: SignedTransaction): Traced {
  const { sender, to, gasLimit, value, data, authorizationList } = transaction;
  return {
    ...parties(vm, bytesToHex(sender), to === null ? null : bytesToHex(to)),
    gas: gasLimit,
    value,
    input: data,
    paysFees: true,
    authorities: authorities(vm, authorizationList),
  };
}

/** Returns the accounts that a transaction names. The address of a contract follows from the sender's nonce. */
function parties({ state }: BlockEvm, from: Hex, to: Hex | null): Pick<Traced, 'from' | 'to' | 'target'> {
  return { from, to, target: to ?? contractAddress(from, state.account(hexToBytes(from))?.nonce ?? 0n) };
}

function authorities({ chainId }: BlockEvm, list: readonly Authorization[]): Traced['authorities'] {
  return list.flatMap((entry) => {
    const authority = authorityOf(entry);
    return authority === undefined ? [] : [{ address: bytesToHex(authority), isForChain: isForChain(entry, chainId) }];
  });
}
