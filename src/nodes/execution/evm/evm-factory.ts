import { type CustomPrecompile, type EVM, NobleBN254 } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import type { Precompile } from '../../../evm/machine/state.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { JournaledState } from '../state/journaled.ts';
import { BudgetedEvm } from './budgeted-evm.ts';
import { commonAt } from './common.ts';
import type { ExecutionBudget } from './execution-budget.ts';
import { machinePrecompiles } from './machine-precompiles.ts';
import { customPrecompiles, rulePrecompiles } from './precompiles.ts';

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
  readonly evm: EVM;
  readonly state: JournaledState;
  readonly rules: Rules;
  readonly chainId: number;
  readonly context: BlockContext;
  /** The block in the form of the EVM library. */
  readonly block: NonNullable<Parameters<EVM['runCall']>[0]['block']>;
  readonly budget: ExecutionBudget | undefined;
  /** Our own EVM runs what no tracer sees (docs/evm.md). */
  readonly isOurs: boolean;
  /** The precompiles under the rules and overrides. */
  readonly precompileFunctions: ReadonlyMap<Hex, Precompile>;
  /** Tracers that are attached. The EVM library runs what they see. */
  readonly tracers: Set<unknown>;
  /** Addresses of the rules' precompiles, before overrides move them. They are warm (EIP-2929). */
  readonly precompiles: readonly Hex[];
}

/** Options for the EVM of a request. */
export interface EvmOptions {
  readonly budget?: ExecutionBudget;
  /** Replace precompiles of the rules. An entry without a function removes one. */
  readonly precompiles?: readonly CustomPrecompile[];
}

/** Creates an EVM for a block (geth: `NewEVM`, reth: `create_evm`). */
export function createEvm(
  chainId: number,
  rules: Rules,
  state: JournaledState,
  context: BlockContext,
  options: EvmOptions = {},
): BlockEvm {
  const blockHash = (number: number) => context.blockHash(number) ?? new Uint8Array(32);
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => blockHash(number) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  const description = {
    common: commonAt(rules.evm, chainId),
    stateManager: state,
    blockchain,
    bn254: new NobleBN254(),
    customPrecompiles: [...customPrecompiles(rules), ...(options.precompiles ?? [])],
  };
  const evm = new BudgetedEvm(description, options.budget);
  const block: BlockEvm['block'] = {
    header: {
      number: BigInt(context.number),
      coinbase: addressOf(context.coinbase),
      timestamp: context.timestamp,
      difficulty: 0n,
      prevRandao: hexToBytes(context.prevRandao),
      gasLimit: context.gasLimit,
      baseFeePerGas: context.baseFee,
      getBlobGasPrice: () => context.blobBaseFee ?? 1n,
    },
  };
  const active = options.precompiles === undefined ? evm.precompiles : rulePrecompiles(rules, chainId);
  return {
    evm,
    state,
    rules,
    chainId,
    context,
    block,
    budget: options.budget,
    isOurs: process.env['ROLLUP_DEVNET_EVM'] === 'own',
    precompileFunctions: machinePrecompiles(evm),
    tracers: new Set(),
    precompiles: [...active.keys()].map((key) => `0x${key}` satisfies Hex),
  };
}

/** Converts an address to the library's form. */
function addressOf(address: Hex | Uint8Array): Address {
  return new Address(typeof address === 'string' ? hexToBytes(address) : address);
}
