import type { CustomPrecompile } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Chain } from '../chain/chain.ts';
import { type BlockContext, type BlockEvm, createEvm } from '../evm/evm-factory.ts';
import type { ExecutionBudget } from '../evm/execution-budget.ts';
import { rulePrecompiles } from '../evm/precompiles.ts';
import { JournaledState } from '../state/journaled.ts';
import type { BlockOverrides, StateOverrides } from './call-arguments.ts';

/** The block after which a call runs. */
export interface CallBlock {
  readonly hash: Hex;
  readonly header: BlockHeader;
}

/** State and block overrides of a call, and its budget. */
export interface CallEnvironment {
  readonly state?: StateOverrides | null | undefined;
  readonly block?: BlockOverrides | null | undefined;
  readonly budget?: ExecutionBudget;
  /** State that replaces the state after the block. */
  readonly on?: JournaledState;
}

/**
 * Creates an EVM in a block, on the state after it, with overrides applied (geth: `doCall`).
 * `baseFee` replaces the block's.
 */
export function evmAtBlock(chain: Chain, at: CallBlock, setting: CallEnvironment, baseFee?: bigint): BlockEvm {
  const { header } = at;
  const context: BlockContext = {
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.beneficiary,
    prevRandao: header.mixHash,
    gasLimit: header.gasLimit,
    baseFee: baseFee ?? header.baseFeePerGas,
    blockHash: hashesBefore(chain, at),
  };
  return evmInBlock(chain, setting.on ?? new JournaledState(chain.stateOf(header)), context, setting);
}

/** Creates an EVM in any block on any state, with overrides applied to both. */
export function evmInBlock(
  chain: Chain,
  state: JournaledState,
  context: BlockContext,
  { state: overrides, block, budget }: CallEnvironment,
): BlockEvm {
  const blockContext: BlockContext = {
    ...context,
    ...block,
    blockHash: (number) => overridden(block, number) ?? context.blockHash(number),
  };
  const rules = chain.rulesAt(blockContext.timestamp);
  const precompiles = rulePrecompiles(rules, chain.chainId);
  const vm = createEvm(chain.chainId, rules, state, blockContext, {
    ...(budget === undefined ? {} : { budget }),
    precompiles: precompilesUnder(overrides ?? {}, precompiles),
  });
  applyOverrides(vm, overrides ?? {});
  return vm;
}

/** Returns the BLOCKHASH function of a block. */
export function hashesBefore(chain: Chain, { hash, header }: CallBlock): (number: number) => Uint8Array | undefined {
  const parent = chain.header(header.parentHash);
  if (parent === undefined) return () => undefined;
  return chain.parentContextOf(header.number === 0 ? hash : header.parentHash, parent, header.timestamp).blockHash;
}

function overridden(block: BlockOverrides | null | undefined, number: number): Uint8Array | undefined {
  const hash = block?.hashes.get(number);
  return hash === undefined ? undefined : hexToBytes(hash);
}

/** A state override removes the precompile at its address. One that moves it adds it elsewhere. */
function precompilesUnder(
  overrides: StateOverrides,
  precompiles: ReturnType<typeof rulePrecompiles>,
): CustomPrecompile[] {
  const changes: CustomPrecompile[] = [];
  for (const [key, { movePrecompileToAddress: target }] of Object.entries(overrides)) {
    const address = lowerHex(key);
    const precompile = precompiles.get(address.slice(2));
    if (precompile === undefined) {
      if (target != null) throw new RpcError(-32000, `account ${address} is not a precompile`);
      continue;
    }
    if (target != null && target in overrides) throw new RpcError(-32000, `account ${target} is already overridden`);
    changes.push({ address });
    if (target != null) changes.push({ address: target, function: precompile });
  }
  return changes;
}

/** Writes state overrides into the state (geth: `StateOverride.Apply`). */
function applyOverrides({ state }: BlockEvm, overrides: StateOverrides): void {
  for (const [key, override] of Object.entries(overrides)) {
    const address = new Address(hexToBytes(lowerHex(key)));
    const before = state.account(address.bytes);
    const account = new Account(before?.nonce, before?.balance, before?.storageRoot, before?.codeHash);
    account.balance = override.balance ?? account.balance;
    account.nonce = override.nonce ?? account.nonce;
    void state.putAccount(address, account);
    if (override.code != null) state.setCode(address.bytes, hexToBytes(override.code));
    if (override.state != null) void state.clearStorage(address);
    for (const [slot, value] of Object.entries({ ...override.state, ...override.stateDiff }))
      state.setWord(address.bytes, hexToBytes(lowerHex(slot)), hexToBytes(value));
  }
  state.originalStorageCache.clear();
}
