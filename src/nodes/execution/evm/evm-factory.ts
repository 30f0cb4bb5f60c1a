import type { Inspector } from '../../../evm/machine/inspector.ts';
import type { EvmBlock, Precompile } from '../../../evm/machine/state.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { StateJournal } from '../state/state-journal.ts';
import type { ExecutionBudget } from './execution-budget.ts';
import { rulePrecompiles } from './precompiles.ts';

/** The block as code reads it. geth: `vm.BlockContext`. */
export interface BlockContext {
  readonly number: number;
  readonly timestamp: bigint;
  readonly coinbase: Hex;
  readonly prevRandao: Hex;
  readonly gasLimit: bigint;
  /** wei per gas. */
  readonly baseFee: bigint;
  /** wei per blob gas. On a rollup it is the minimum of 1. */
  readonly blobBaseFee?: bigint;
  /** Returns the hash of one of the previous 256 blocks, or undefined. */
  blockHash(number: number): Uint8Array | undefined;
}

/** An EVM over one state, in one block, under the rules in force. geth: `vm.EVM`. */
export interface BlockEvm {
  readonly state: StateJournal;
  readonly rules: Rules;
  readonly chainId: number;
  readonly context: BlockContext;
  readonly budget: ExecutionBudget | undefined;
  /** The precompiles under the rules and overrides. */
  readonly precompiles: ReadonlyMap<Hex, Precompile>;
  /** The block as our EVM reads it. */
  readonly block: EvmBlock;
  /** What sees the messages and opcodes of its transactions. */
  inspector: Inspector | undefined;
}

/** Options for the EVM of a request. */
export interface EvmOptions {
  readonly budget?: ExecutionBudget | undefined;
  /** Replace the precompiles of the rules. */
  readonly precompiles?: ReadonlyMap<Hex, Precompile>;
}

/** Creates an EVM for a block (geth: `NewEVM`, reth: `create_evm`). */
export function createEvm(
  chainId: number,
  rules: Rules,
  state: StateJournal,
  context: BlockContext,
  { budget, precompiles = rulePrecompiles(rules) }: EvmOptions = {},
): BlockEvm {
  const block: EvmBlock = {
    ...context,
    chainId: BigInt(chainId),
    number: BigInt(context.number),
    blobBaseFee: context.blobBaseFee ?? 1n,
    blockHash: (number) => context.blockHash(number),
  };
  return { state, rules, chainId, context, block, budget, precompiles, inspector: undefined };
}
