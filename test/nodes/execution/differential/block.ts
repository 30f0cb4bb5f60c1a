import type { Hex } from '../../../../src/protocol/types.ts';

/** Block fields that transactions can read. */
export interface BlockEnvironment {
  readonly number: number;
  readonly timestamp: number;
  readonly coinbase: Hex;
  readonly prevRandao: Hex;
  readonly gasLimit: number;
  readonly baseFee: bigint;
  readonly parentHash: Hex;
  readonly hash: Hex;
}

/** Outcome of a transaction in one implementation. */
export interface Outcome {
  readonly status: boolean;
  readonly gasUsed: number;
  readonly cumulativeGasUsed: number;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
  /** undefined: the implementation does not report it. */
  readonly contractAddress: Hex | null | undefined;
  /** The transaction is not valid in its block, which is unchanged. */
  readonly isRejected?: true;
  /** Each instruction but STOP, where the implementation reports them. */
  readonly steps?: readonly string[];
}

/** Outcome of a transaction that an implementation rejects. */
export function rejectionOutcome(cumulativeGasUsed: number): Outcome {
  return { status: false, gasUsed: 0, cumulativeGasUsed, logs: [], contractAddress: undefined, isRejected: true };
}

/** An instruction before it runs, as both EVMs report it. Gas in gas, depth from 0. */
export interface ReportedStep {
  readonly depth: number;
  readonly pc: number;
  readonly op: number;
  readonly gas: bigint;
  readonly refund: bigint;
  readonly stack: readonly bigint[];
}

/** Returns an instruction as text: position, gas, refund counter, and the size and top of the stack. */
export function stepText({ depth, pc, op, gas, refund, stack }: ReportedStep): string {
  const top = `stack ${stack.length} ${stack.at(-1)?.toString(16) ?? ''}`;
  return `depth ${depth} pc ${pc} op ${op.toString(16)} gas ${gas} refund ${refund} ${top}`;
}

export interface BlockOutcome {
  readonly outcomes: readonly Outcome[];
  /** undefined: the implementation does not report it. */
  readonly stateRoot: Hex | undefined;
}

/** Runs blocks on the state of the alloc. */
export interface Implementation {
  readonly name: string;
  run(environment: BlockEnvironment, transactions: readonly Uint8Array[]): Promise<BlockOutcome>;
}

/** Returns a block that no client built: one second after its parent, with hashes of numbers. */
export function syntheticBlock(number: number): BlockEnvironment {
  const hash = (of: number): Hex => `0x${of.toString(16).padStart(64, 'b')}`;
  return {
    number,
    timestamp: 1_700_000_000 + number,
    coinbase: '0x00000000000000000000000000000000000c01ba',
    prevRandao: `0x${(number * 7919).toString(16).padStart(64, '9')}`,
    gasLimit: 1_000_000_000,
    baseFee: 1_000_000_000n,
    parentHash: hash(number - 1),
    hash: hash(number),
  };
}
