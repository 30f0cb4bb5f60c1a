import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { runToCompletion } from '../../../protocol/resumable.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { BlockExecutor } from '../block/executor.ts';
import type { Block, Chain } from '../chain/chain.ts';
import { environmentOfBlock } from '../engine/validate.ts';
import { ExecutionBudget, withCallTimeout } from '../evm/execution-budget.ts';
import { storageOf } from '../state/account.ts';
import { commitState, type WriteOrder } from '../state/commit.ts';
import type { JournaledState } from '../state/journaled.ts';
import { StateReader } from '../state/reader.ts';
import { inspect } from '../tracing/inspector.ts';
import { EMPTY_ROOT } from '../trie/trie.ts';
import { entriesOf } from '../trie/walk.ts';
import { GethReads } from './geth-reads.ts';
import { RecordingSource } from './recording-source.ts';
import { RevmReads } from './revm-reads.ts';

/** What a witness is to hold beyond what this program's own execution reads, or instead of it. */
export type WitnessScope =
  /** What the Go client reads: as here, and what instructions look at before they know whether they need it. */
  | { readonly reads: 'execution' }
  /** What the Rust clients' interpreter reads. */
  | {
      readonly reads: 'interpreter';
      /** Which nodes the removals fold: a reader that removes first needs more of them. */
      readonly order: WriteOrder;
      /** The storage root's node of every account that was looked at; the empty trie's where it has no storage. */
      readonly storageRoots: boolean;
      /** Code that accounts have after the block and had not before; the empty one too, of accounts that are new or gave theirs up. */
      readonly newCode: boolean;
    };

/** All that somebody without state needs to execute a block: bytes to be found by their hashes. */
export interface ExecutionWitness {
  /** RLP of trie nodes. */
  readonly state: readonly Uint8Array[];
  readonly codes: readonly Uint8Array[];
  /** Accounts that exist after the block, each with the slots of it that were looked at. */
  readonly keys: ReadonlyMap<Hex, readonly Hex[]>;
  /** The parent, and its ancestors as far back as BLOCKHASH looked; newest first. */
  readonly headers: readonly { readonly hash: Hex; readonly header: BlockHeader }[];
}

/** RLP of the empty trie's root. */
const EMPTY_NODE = Uint8Array.of(0x80);

/**
 * Executes a block again and notes what it reads of the state before it.
 * @throws RpcError for the genesis block, and where it takes longer than `limitMs` for each transaction
 */
export async function executionWitness(
  chain: Chain,
  block: Block,
  scope: WitnessScope,
  limitMs: number,
): Promise<ExecutionWitness> {
  const { header } = block;
  const parent = chain.header(header.parentHash);
  if (header.number === 0 || parent === undefined)
    throw new RpcError(RPC_CODE.server, `block ${header.number} has no parent to execute it on`);
  const parentContext = chain.parentContextOf(header.parentHash, parent, header.timestamp);
  const source = new RecordingSource(parentContext.parentState.source);
  const parentState = new StateReader(source, parentContext.parentState.root);
  let oldest = parent.number;
  const blockHash = (number: number) => {
    const hash = parentContext.blockHash(number);
    if (hash !== undefined) oldest = Math.min(oldest, number);
    return hash;
  };
  const budget = new ExecutionBudget(limitMs * Math.max(1, block.transactions.length));
  const executor = await BlockExecutor.open({ ...parentContext, parentState, blockHash }, environmentOfBlock(block), {
    budget,
  });
  const { state } = executor.vm;
  const modelled =
    scope.reads === 'interpreter' ? new RevmReads(executor.vm, parentContext.parentState, state.touched()) : undefined;
  const inspection = inspect(executor.vm, modelled ?? new GethReads(state));
  const executed = await withCallTimeout(async () => {
    for (const raw of block.transactions) {
      modelled?.begin(raw);
      await executor.run(raw);
      modelled?.end(raw);
    }
    inspection.end();
    return executor.seal();
  });
  if (executed.hash !== block.hash)
    throw new Error(`block ${block.hash} became ${executed.hash} when it was executed again`);
  const headers = ancestors(chain, header.parentHash, parent.number - oldest + 1);
  if (modelled === undefined || scope.reads !== 'interpreter')
    return { state: [...source.nodes.values()], codes: [...source.codes.values()], keys: new Map(), headers };
  const codes = [...modelled.codes.values(), ...(scope.newCode ? newCode(state) : [])];
  return { ...proven(parentContext.parentState, state, modelled.slots, scope), codes, headers };
}

/** Trie nodes that reading and then writing takes, and the keys that are left. */
function proven(
  parent: StateReader,
  state: JournaledState,
  slots: ReadonlyMap<Hex, ReadonlySet<Hex>>,
  scope: Extract<WitnessScope, { reads: 'interpreter' }>,
): Pick<ExecutionWitness, 'state' | 'keys'> {
  const source = new RecordingSource(parent.source);
  const reader = new StateReader(source, parent.root);
  const keys = new Map<Hex, readonly Hex[]>();
  for (const [address, words] of slots) {
    const account = reader.account(hexToBytes(address));
    if (state.account(hexToBytes(address)) === undefined) continue;
    keys.set(address, [...words]);
    for (const word of words) reader.storage(account, hexToBytes(word));
  }
  const changes = state.changes();
  // Storage that goes goes slot by slot.
  for (const { below, cleared } of changes.accounts.values())
    if (below !== undefined && cleared) for (const _ of entriesOf(source, storageOf(below)));
  runToCompletion(commitState(reader, changes, scope.order));
  const nodes = new Set(source.nodes.values());
  if (scope.storageRoots) for (const node of storageRoots(source, reader, slots.keys())) nodes.add(node);
  return { state: [...nodes], keys };
}

/** Code of accounts that had other code, or none, before; the empty one where an account is new without code. */
function newCode(state: JournaledState): Uint8Array[] {
  const codes = new Map<Hex, Uint8Array>();
  for (const { account, below } of state.changes().accounts.values())
    if (account !== undefined && (below === undefined || Buffer.compare(account.codeHash, below.codeHash) !== 0))
      codes.set(bytesToHex(account.codeHash), state.codeOf(account.codeHash));
  return [...codes.values()];
}

function storageRoots(source: RecordingSource, state: StateReader, addresses: Iterable<Hex>): Uint8Array[] {
  return [...addresses].flatMap((address) => {
    const account = state.account(hexToBytes(address));
    if (account === undefined) return [];
    if (Buffer.compare(account.storageRoot, EMPTY_ROOT) === 0) return [EMPTY_NODE];
    source.node(storageOf(account));
    return [source.nodes.get(bytesToHex(account.storageRoot))!];
  });
}

function ancestors(chain: Chain, newest: Hex, count: number): ExecutionWitness['headers'] {
  const found: { readonly hash: Hex; readonly header: BlockHeader }[] = [];
  for (let hash = newest; found.length < count; hash = found.at(-1)!.header.parentHash)
    found.push({ hash, header: chain.header(hash)! });
  return found;
}
