import { generateAddress } from '@ethereumjs/util';
import { type DepositTransaction, decodeDeposit } from '../../../protocol/codec/deposit.ts';
import { rlpUint } from '../../../protocol/codec/rlp.ts';
import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import { BlockExecutor } from '../block/executor.ts';
import { extraFees, readFees } from '../block/fees.ts';
import { applyTransaction } from '../block/transition.ts';
import type { Candidate } from '../chain/candidate.ts';
import type { Chain } from '../chain/chain.ts';
import { draftOfBlock } from '../engine/validate.ts';
import type { Machine } from '../evm/machine.ts';
import { Pace, untilTimeout } from '../evm/pace.ts';
import type { CallArguments } from '../query/call-arguments.ts';
import { gasOf, type RunOptions, refusing, runCall, shapeOf } from '../query/simulate.ts';
import { intrinsicGas } from '../transaction/intrinsic-gas.ts';
import {
  type Authorization,
  authorityOf,
  decodeTransaction,
  isDeposit,
  isForChain,
  type SignedTransaction,
} from '../transaction/transaction.ts';
import type { Traced, Tracer } from './tracer.ts';
import { watch } from './watch.ts';

/** A block to run again: known, or given by its encoding on a known parent. */
export type Traceable = Pick<Candidate, 'header' | 'transactions' | 'withdrawals'>;

/** What a tracer saw of one transaction of a block. */
export interface TransactionTrace {
  readonly position: number;
  readonly hash: Hex;
  readonly result: unknown;
}

/**
 * Runs a block again and traces the transactions for which `tracerFor` gives a tracer; those behind the last one are not run.
 * @throws RpcError where it takes longer than `limitMs` per transaction
 */
export async function traceBlock(
  chain: Chain,
  block: Traceable,
  positions: readonly number[],
  tracerFor: () => Tracer,
  limitMs: number,
): Promise<TransactionTrace[]> {
  const last = Math.max(-1, ...positions);
  const traces: TransactionTrace[] = [];
  await untilTimeout(async () => {
    const executor = await reopen(chain, block, new Pace(limitMs * Math.max(1, last + 1)));
    for (let position = 0; position <= last; position++) {
      const raw = block.transactions[position]!;
      if (!positions.includes(position)) {
        await executor.run(raw);
        continue;
      }
      const result = await traceNext(executor, raw, tracerFor());
      traces.push({ position, hash: keccak256(raw), result });
    }
  });
  return traces;
}

/** The EVM in a block, after its first `count` transactions. @throws RpcError where it takes too long */
export async function machineInside(chain: Chain, block: Traceable, count: number, pace: Pace): Promise<Machine> {
  return untilTimeout(async () => {
    const executor = await reopen(chain, block, pace);
    for (const raw of block.transactions.slice(0, count)) await executor.run(raw);
    return executor.machine;
  });
}

/** Runs a call on a machine and traces it. @throws RpcError where it cannot start or takes too long */
export async function traceCall(
  machine: Machine,
  call: CallArguments,
  tracer: Tracer,
  options: RunOptions,
): Promise<unknown> {
  const shape = shapeOf(call, call.gas ?? (await refusing(options, () => gasOf(machine, call, options))));
  tracer.start?.(machine, {
    ...tracedBy(machine, bytesToHex(shape.sender)),
    to: call.to ?? null,
    gas: shape.gasLimit,
    value: shape.value,
    input: bytesToHex(shape.data),
    paysFees: true,
    authorities: authorities(machine, shape.authorizationList),
  });
  return watched(machine, tracer, () => runCall(machine, call, options));
}

/** Runs a signed transaction on a machine, with all fees that it would pay in a block, and traces it. @throws TransactionInvalid */
export async function traceSigned(machine: Machine, transaction: SignedTransaction, tracer: Tracer): Promise<unknown> {
  const { rules, state, context } = machine;
  const fees = readFees(rules, (address, slot) => state.word(address, slot));
  const extra = extraFees(rules, fees, fees.l1?.cost(transaction.raw).fee ?? 0n);
  tracer.start?.(machine, tracedOf(machine, transaction.raw));
  return watched(machine, tracer, () => applyTransaction(machine, transaction, extra, context.gasLimit));
}

async function watched(machine: Machine, tracer: Tracer, run: () => Promise<{ readonly gasUsed: bigint }>) {
  const watching = watch(machine, tracer);
  try {
    const { gasUsed } = await run();
    const outer = watching.end();
    return tracer.result({ gasUsed, returnValue: outer?.output ?? new Uint8Array(0), ...errorOf(outer?.error) });
  } finally {
    watching.end();
  }
}

async function reopen(chain: Chain, block: Traceable, pace: Pace): Promise<BlockExecutor> {
  const { header } = block;
  const parent = chain.header(header.parentHash);
  if (parent === undefined) throw new RpcError(-32000, `parent ${header.parentHash} not found`);
  const ground = chain.groundOn(header.parentHash, parent, header.timestamp);
  return BlockExecutor.open(ground, draftOfBlock(block), { pace });
}

async function traceNext(executor: BlockExecutor, raw: Uint8Array, tracer: Tracer): Promise<unknown> {
  const { machine } = executor;
  const before = executor.gasLeft;
  tracer.start?.(machine, tracedOf(machine, raw));
  const watching = watch(machine, tracer);
  try {
    await executor.run(raw);
  } finally {
    watching.end();
  }
  const outer = watching.end();
  const gasUsed = before - executor.gasLeft;
  const error = outer === undefined ? 'failed deposit transaction' : outer.error;
  return tracer.result({
    gasUsed,
    returnValue: outer?.output ?? new Uint8Array(0),
    ...(outer === undefined ? { unrun: { gas: gasForCode(machine, decodeDeposit(raw)) } } : {}),
    ...errorOf(error),
  });
}

/** Gas that a deposit has left for code; undefined where it cannot even pay for its data. */
function gasForCode({ rules }: Machine, { to, data, gas }: DepositTransaction): bigint | undefined {
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

function tracedOf(machine: Machine, raw: Uint8Array): Traced {
  if (isDeposit(raw)) {
    const { from, to, gas, value, data } = decodeDeposit(raw);
    return { ...tracedBy(machine, from), to, gas: BigInt(gas), value, input: data, paysFees: false, authorities: [] };
  }
  const { sender, to, gasLimit, value, data, authorizationList } = decodeTransaction(raw);
  return {
    ...tracedBy(machine, bytesToHex(sender)),
    to: to === null ? null : bytesToHex(to),
    gas: gasLimit,
    value,
    input: bytesToHex(data),
    paysFees: true,
    authorities: authorities(machine, authorizationList),
  };
}

/** Sender, and what it would create. */
function tracedBy({ state }: Machine, from: Hex): Pick<Traced, 'from' | 'created'> {
  const sender = hexToBytes(from);
  return { from, created: bytesToHex(generateAddress(sender, rlpUint(state.account(sender)?.nonce ?? 0n))) };
}

function authorities({ chainId }: Machine, list: readonly Authorization[]): Traced['authorities'] {
  return list.flatMap((entry) => {
    const authority = authorityOf(entry);
    return authority === undefined ? [] : [{ address: bytesToHex(authority), isForChain: isForChain(entry, chainId) }];
  });
}
