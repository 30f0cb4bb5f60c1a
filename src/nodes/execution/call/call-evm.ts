import type { Precompile } from '../../../evm/machine/state.ts';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Chain } from '../chain/chain.ts';
import { type BlockContext, type BlockEvm, createEvm } from '../evm/evm-factory.ts';
import type { ExecutionBudget } from '../evm/execution-budget.ts';
import { rulePrecompiles } from '../evm/precompiles.ts';
import { EMPTY_ACCOUNT } from '../state/account.ts';
import { StateJournal } from '../state/state-journal.ts';
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
  readonly on?: StateJournal;
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
  return evmInBlock(chain, setting.on ?? new StateJournal(chain.stateOf(header)), context, setting);
}

/** Creates an EVM in any block on any state, with overrides applied to both. */
export function evmInBlock(
  chain: Chain,
  state: StateJournal,
  context: BlockContext,
  { state: overrides, block, budget }: CallEnvironment,
): BlockEvm {
  const blockContext: BlockContext = {
    ...context,
    ...block,
    blockHash: (number) => overridden(block, number) ?? context.blockHash(number),
  };
  const rules = chain.rulesAt(blockContext.timestamp);
  const precompiles = precompilesUnder(overrides ?? {}, rulePrecompiles(rules));
  const vm = createEvm(chain.chainId, rules, state, blockContext, { budget, precompiles });
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
  precompiles: ReadonlyMap<Hex, Precompile>,
): ReadonlyMap<Hex, Precompile> {
  const entries = Object.entries(overrides);
  if (entries.length === 0) return precompiles;
  const changed = new Map(precompiles);
  for (const [key, { movePrecompileToAddress: target }] of entries) {
    const address = lowerHex(key);
    const precompile = precompiles.get(address);
    if (precompile === undefined) {
      if (target != null) throw new RpcError(-32000, `account ${address} is not a precompile`);
      continue;
    }
    if (target != null && target in overrides) throw new RpcError(-32000, `account ${target} is already overridden`);
    changed.delete(address);
    if (target != null) changed.set(lowerHex(target), precompile);
  }
  return changed;
}

/** Writes state overrides into the state (geth: `StateOverride.Apply`). */
function applyOverrides({ state }: BlockEvm, overrides: StateOverrides): void {
  for (const [key, override] of Object.entries(overrides)) {
    const address = hexToBytes(lowerHex(key));
    const account = state.account(address) ?? EMPTY_ACCOUNT;
    const { balance, nonce } = override;
    state.setAccount(address, { ...account, balance: balance ?? account.balance, nonce: nonce ?? account.nonce });
    if (override.code != null) state.setCode(address, hexToBytes(override.code));
    if (override.state != null) state.clearWords(address);
    for (const [slot, value] of Object.entries({ ...override.state, ...override.stateDiff }))
      state.setWord(address, hexToBytes(lowerHex(slot)), hexToBytes(value));
  }
}
