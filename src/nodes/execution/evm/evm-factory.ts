import { type CustomPrecompile, type EVM, NobleBN254 } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { JournaledState } from '../state/journaled.ts';
import { BudgetedEvm } from './budgeted-evm.ts';
import { commonAt } from './common.ts';
import type { ExecutionBudget } from './execution-budget.ts';
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
  /** Addresses of the rules' precompiles, before overrides move them. They are warm (EIP-2929). */
  readonly precompiles: readonly string[];
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
  return { evm, state, rules, chainId, context, block, precompiles: [...active.keys()] };
}

/** Converts an address to the library's form. */
export function addressOf(address: Hex | Uint8Array): Address {
  return new Address(typeof address === 'string' ? hexToBytes(address) : address);
}

/**
 * Adds wei to an account and touches it, so that an empty one is removed (EIP-161).
 * A sum above 256 bits wraps. Only a mint can reach it.
 */
export async function credit(vm: BlockEvm, address: Address, wei: bigint): Promise<void> {
  const account = (await vm.state.getAccount(address)) ?? new Account();
  account.balance = BigInt.asUintN(256, account.balance + wei);
  await vm.evm.journal.putAccount(address, account);
}
