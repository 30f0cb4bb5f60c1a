import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { atOnce } from '../../../protocol/steps.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { BlockExecutor } from '../block/executor.ts';
import type { Block, Chain } from '../chain/chain.ts';
import { draftOfBlock } from '../engine/validate.ts';
import { Pace, untilTimeout } from '../evm/pace.ts';
import { storageOf } from '../state/account.ts';
import { commitState, type WriteOrder } from '../state/commit.ts';
import { StateReader } from '../state/reader.ts';
import { watch } from '../tracing/watch.ts';
import { EMPTY_ROOT } from '../trie/trie.ts';
import { IdleReads } from './idle-reads.ts';
import { RecordingSource } from './recording-source.ts';

/** What a witness is to hold beyond what this program's own execution reads. */
export interface WitnessScope {
  /** Which nodes the removals fold: a reader that removes first needs more of them. */
  readonly order: WriteOrder;
  /** The storage root's node of every account that was looked at; the empty trie's where it has no storage. */
  readonly storageRoots: boolean;
  /** Code that the block deploys. */
  readonly deployedCode: boolean;
  /** What instructions would have touched that a static call refused. */
  readonly refusedWrites: boolean;
}

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
  const ground = chain.groundOn(header.parentHash, parent, header.timestamp);
  const source = new RecordingSource(ground.parentState.source);
  const parentState = new StateReader(source, ground.parentState.root);
  let oldest = parent.number;
  const blockHash = (number: number) => {
    const hash = ground.blockHash(number);
    if (hash !== undefined) oldest = Math.min(oldest, number);
    return hash;
  };
  const pace = new Pace(limitMs * Math.max(1, block.transactions.length));
  const executor = await BlockExecutor.open({ ...ground, parentState, blockHash }, draftOfBlock(block), { pace });
  const { state } = executor.machine;
  const watching = watch(executor.machine, new IdleReads(state, scope.refusedWrites));
  const executed = await untilTimeout(async () => {
    for (const raw of block.transactions) await executor.run(raw);
    watching.end();
    return executor.seal();
  });
  if (executed.hash !== block.hash)
    throw new Error(`block ${block.hash} became ${executed.hash} when it was executed again`);
  if (scope.order !== 'removals-last') atOnce(commitState(parentState, state.changes(), scope.order));
  const touched = state.touched();
  const nodes = new Set(source.nodes.values());
  if (scope.storageRoots) for (const node of storageRoots(source, parentState, touched.keys())) nodes.add(node);
  return {
    state: [...nodes],
    codes: [...source.codes.values(), ...(scope.deployedCode ? executed.diff.codes.map(({ code }) => code) : [])],
    keys: new Map([...touched].filter(([address]) => state.account(hexToBytes(address)) !== undefined)),
    headers: ancestors(chain, header.parentHash, parent.number - oldest + 1),
  };
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
