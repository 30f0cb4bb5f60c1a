import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import { runToCompletion } from '../../../protocol/resumable.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { BlockExecutor } from '../block/executor.ts';
import type { Block } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import { environmentOfBlock } from '../engine/validate.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import { withCallTimeout } from '../evm/execution-budget.ts';
import { storageOf } from '../state/account.ts';
import { commitState, type WriteOrder } from '../state/commit.ts';
import { StateReader } from '../state/reader.ts';
import type { StateJournal } from '../state/state-journal.ts';
import type { TraceContext } from '../tracing/context.ts';
import { inspect } from '../tracing/inspector.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { EMPTY_ROOT } from '../trie/trie.ts';
import { entriesOf } from '../trie/walk.ts';
import { RecordingSource } from './recording-source.ts';

/** Content of a witness beside the state that this program's execution reads, or instead of it. */
export type WitnessScope =
  /** geth: the reads of this execution, and operands that geth loads early. */
  | { readonly reads: 'execution'; readonly tracer: (state: StateJournal) => Tracer }
  /** revm: the reads of its interpreter. */
  | {
      readonly reads: 'interpreter';
      readonly recorder: (
        vm: BlockEvm,
        parent: StateReader,
        opening: ReadonlyMap<Hex, readonly Hex[]>,
      ) => WitnessRecorder;
      /** Order of the writes. Early removals read more nodes. */
      readonly order: WriteOrder;
      /** Includes the root node of every read account's storage, that of the empty trie included. */
      readonly storageRoots: boolean;
      /** Includes code that accounts gained in the block, the empty code included. */
      readonly newCode: boolean;
    };

/** Records the state that another client's interpreter reads while a block is executed. */
export interface WitnessRecorder extends Tracer {
  /** Accounts that were read, existing or not, each with its slots that were read. */
  readonly slots: ReadonlyMap<Hex, ReadonlySet<Hex>>;
  /** Code of the state before the block, by its hash. */
  readonly codes: ReadonlyMap<Hex, Uint8Array>;
  /** Called before and after each transaction of the block. */
  begin(raw: Uint8Array): void;
  end(raw: Uint8Array): void;
}

/**
 * Everything that is needed to execute a block without its state (geth: `stateless.Witness`).
 * Bytes are found by their hashes.
 */
export interface ExecutionWitness {
  /** RLP of trie nodes. */
  readonly state: readonly Uint8Array[];
  readonly codes: readonly Uint8Array[];
  /** Accounts that exist after the block, each with its read slots. */
  readonly keys: ReadonlyMap<Hex, readonly Hex[]>;
  /** The parent, and its ancestors back to the oldest BLOCKHASH. Newest first. */
  readonly headers: readonly { readonly hash: Hex; readonly header: BlockHeader }[];
}

/** RLP of the empty trie's root node. */
const EMPTY_NODE = Uint8Array.of(0x80);

/**
 * Executes a block again and records the state that it reads (reth: `debug_execution_witness`).
 * @throws RpcError for the genesis block, and if it exceeds `limitMs` per transaction
 */
export async function executionWitness(
  { chain, newBudget }: TraceContext,
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
  const budget = newBudget(limitMs * Math.max(1, block.transactions.length));
  const executor = await BlockExecutor.open({ ...parentContext, parentState, blockHash }, environmentOfBlock(block), {
    budget,
  });
  const { state } = executor.vm;
  const recorder =
    scope.reads === 'interpreter' ? scope.recorder(executor.vm, parentContext.parentState, state.touched()) : undefined;
  const tracer = scope.reads === 'execution' ? scope.tracer(state) : recorder;
  const inspection = tracer && inspect(executor.vm, tracer);
  const executed = await withCallTimeout(async () => {
    for (const raw of block.transactions) {
      recorder?.begin(raw);
      await executor.run(raw);
      recorder?.end(raw);
    }
    inspection?.end();
    return executor.seal(budget);
  });
  if (executed.hash !== block.hash)
    throw new Error(`block ${block.hash} became ${executed.hash} when it was executed again`);
  const headers = ancestors(chain, header.parentHash, parent.number - oldest + 1);
  if (recorder === undefined || scope.reads !== 'interpreter')
    return { state: [...source.nodes.values()], codes: [...source.codes.values()], keys: new Map(), headers };
  const codes = [...recorder.codes.values(), ...(scope.newCode ? newCode(state) : [])];
  return { ...proven(parentContext.parentState, state, recorder.slots, scope), codes, headers };
}

/** Collects the trie nodes of reads and writes, and the keys of accounts that still exist. */
function proven(
  parent: StateReader,
  state: StateJournal,
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
  // revm removes cleared storage slot by slot.
  for (const { below, cleared } of changes.accounts.values())
    if (below !== undefined && cleared) for (const _ of entriesOf(source, storageOf(below)));
  runToCompletion(commitState(reader, changes, scope.order));
  const nodes = new Set(source.nodes.values());
  if (scope.storageRoots) for (const node of storageRoots(source, reader, slots.keys())) nodes.add(node);
  return { state: [...nodes], keys };
}

/** Returns the code of accounts whose code changed in the block. */
function newCode(state: StateJournal): Uint8Array[] {
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
    return [present(source.nodes.get(bytesToHex(account.storageRoot)), 'storage root')];
  });
}

function ancestors(chain: Chain, newest: Hex, count: number): ExecutionWitness['headers'] {
  const headers: { readonly hash: Hex; readonly header: BlockHeader }[] = [];
  let hash = newest;
  while (headers.length < count) {
    const header = chain.knownHeader(hash);
    headers.push({ hash, header });
    hash = header.parentHash;
  }
  return headers;
}
