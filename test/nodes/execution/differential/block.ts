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
