import { ZERO_ADDRESS, ZERO_HASH } from '../../../../protocol/execution/constants.ts';
import { bytesToHex, quantity } from '../../../../protocol/hex.ts';
import { present } from '../../../../protocol/present.ts';
import type { Rules } from '../../../../protocol/rules/rules.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { RpcClient } from '../../../../rpc/client/client.ts';
import { httpClient } from '../../../../rpc/client/http-client.ts';
import { webSocketClient } from '../../../../rpc/client/websocket-client.ts';
import { RPC_CODE, RpcError } from '../../../../rpc/error.ts';
import type { L1Answer, PoolFaultMatch } from '../../../../system/channel/l1-requests.ts';
import type { FileStore } from '../../../../system/files/line-file.ts';
import type { L1Keys } from '../../accounts/l1-keys.ts';
import type { JournalBlock, JournalTransaction } from '../../chain/block.ts';
import type { RpcBlock } from '../fetched-block.ts';
import type { FetchedBlock, L1Chain, L1StateFile, ReorgPlace, ReorgRequest, ReplayedBlock } from '../l1-chain.ts';
import type { L1PoolFaults } from '../pool/l1-pool-faults.ts';
import { PoolFaults } from '../pool/pool-faults.ts';
import type { Refusal } from '../pool/transaction.ts';
import { blobTransactionsOf, fetchedOf, formInBlock } from './engine-block.ts';
import { type BlockWish, EngineCalls, type Heads } from './engine-calls.ts';
import { DROP, enginePoolEdits } from './engine-pool.ts';
import { blocksAbove, type MadeBlock, makeOtherBlocks, replaceEngineBlocks } from './engine-reorg.ts';

/** Where the execution client of L1 listens, and how its chain is to be driven. */
export interface EnginePlace {
  /** JSON-RPC of L1. */
  readonly l1: string;
  /** Engine API of L1. */
  readonly engine: string;
  readonly jwtSecret: Uint8Array;
  readonly rulesAt: (time: number) => Rules;
  /** Blocks of an epoch: the block two epochs below the head is final. */
  readonly slotsInAnEpoch: number;
  readonly blobTransactions: FileStore;
  readonly keys: L1Keys;
}

/** What an L1 on an execution client tells. */
export interface EngineListeners {
  /** Its connection has ended. */
  disconnected(error: Error): void;
  /** A fault of its pool has met a transaction. */
  poolFaultMet(match: PoolFaultMatch): void;
}

/** A transaction of a built block that cannot run (Engine API: -38003). */
const UNUSABLE = /^.*transaction (\d+) cannot run: (.*)$/;

/** The execution client keeps its chain and its pool itself. */
const NO_STATE_FILE: L1StateFile = {
  keep: async () => {},
  keepPool: async () => {},
  sendPool: async () => {},
  dropAbove() {},
};

/**
 * L1 on an execution client, which is driven by its Engine API as by a consensus client.
 * A block is built, executed and chosen. No consensus layer exists behind it.
 */
export class EngineL1 implements L1Chain {
  readonly stateFile = NO_STATE_FILE;
  readonly faults: L1PoolFaults;
  readonly #place: EnginePlace;
  readonly #rpc: RpcClient;
  readonly #engine: RpcClient;
  readonly #calls: EngineCalls;
  /** Connections so far: a new one may be to another process. */
  #connections = 0;

  constructor(place: EnginePlace, { disconnected, poolFaultMet }: EngineListeners) {
    this.#place = place;
    const noteEnd = (error: Error) => {
      this.#connections++;
      disconnected(error);
    };
    this.#rpc = place.l1.startsWith('ws')
      ? webSocketClient({ url: place.l1, onEnd: noteEnd })
      : httpClient({ url: place.l1 });
    this.#engine = httpClient({ url: place.engine, jwtSecret: place.jwtSecret });
    this.#calls = new EngineCalls(this.#engine, place.rulesAt);
    this.faults = new PoolFaults(this.#rpc, enginePoolEdits(this.#rpc, place.keys), poolFaultMet);
  }

  async chainId(): Promise<number> {
    return Number(await this.#rpc.call<Hex>('eth_chainId'));
  }

  async instance(): Promise<string> {
    return String(this.#connections);
  }

  async head(): Promise<number> {
    return Number(await this.#rpc.call<Hex>('eth_blockNumber'));
  }

  async headHash(): Promise<Hex | undefined> {
    return (await this.#blockAt('latest'))?.hash;
  }

  async hash(number: number): Promise<Hex | undefined> {
    return (await this.#blockAt(quantity(number)))?.hash;
  }

  async block(number: number): Promise<FetchedBlock | null> {
    const block = await this.#rpc.call<RpcBlock | null>('eth_getBlockByNumber', [quantity(number), true]);
    return block && fetchedOf(block, (hash) => this.#place.blobTransactions.get(hash));
  }

  /** No real block can hold such a change. @throws RpcError always */
  async change(): Promise<void> {
    throw new RpcError(-32601, 'an execution client cannot change its state without a transaction');
  }

  /** Names the safe and the final block to a process that has just started. Block hashes it has itself. */
  async restoreBlockHashes(): Promise<boolean> {
    const { hash, number, timestamp } = present((await this.#blockAt('latest')) ?? undefined, 'head of L1');
    await this.#calls.choose(await this.#headsOn(hash, Number(number)), Number(timestamp));
    return false;
  }

  async setNextBaseFee(): Promise<void> {}

  async checkPool(): Promise<readonly Refusal[]> {
    return [];
  }

  /** The client orders its blocks itself (`builder.order`). */
  async orderPool(): Promise<void> {}

  async mine(timestamp: number, feeRecipient: Hex = ZERO_ADDRESS): Promise<FetchedBlock> {
    const parent = present((await this.#blockAt('latest')) ?? undefined, 'head of L1').hash;
    return this.#make({ parent, timestamp, feeRecipient });
  }

  async replay(
    block: JournalBlock,
    parent: Hex,
    raw: (transaction: JournalTransaction) => Hex | undefined,
  ): Promise<ReplayedBlock> {
    const networks = new Map<Hex, Hex>();
    const refused: Refusal[] = [];
    for (const transaction of block.transactions) {
      const network = raw(transaction);
      if (network === undefined) refused.push({ hash: transaction.hash, reason: 'its blobs are missing' });
      else networks.set(transaction.hash, network);
      if (transaction.blobs !== undefined && network !== undefined) await this.#giveSidecar(network);
    }
    const { timestamp, miner: feeRecipient } = block;
    const result = await this.makeOf([...networks.keys()], networks, { parent, timestamp, feeRecipient });
    return { ...result.made, refused: [...refused, ...result.refused] };
  }

  /** Makes a block of these transactions. Those that cannot run in it are left out and returned. */
  async makeOf(hashes: readonly Hex[], networks: ReadonlyMap<Hex, Hex>, wish: BlockWish): Promise<MadeBlock> {
    let rest = [...hashes];
    const refused: Refusal[] = [];
    for (;;) {
      const transactions = rest.map((hash) => formInBlock(present(networks.get(hash), 'network form')));
      try {
        return { made: await this.#make({ ...wish, transactions }), refused };
      } catch (error) {
        const [, index, reason = ''] = (error instanceof RpcError ? UNUSABLE.exec(error.message) : null) ?? [];
        const hash = index === undefined ? undefined : rest[Number(index)];
        if (hash === undefined) throw error;
        refused.push({ hash, reason });
        rest = rest.filter((each) => each !== hash);
      }
    }
  }

  async takeBack(newest: FetchedBlock): Promise<void> {
    const { parentHash, number, timestamp } = newest.block;
    await this.#calls.choose(await this.#headsOn(parentHash, number - 1), timestamp);
  }

  /** The client pools the transactions of a block that is taken back itself. */
  async restorePool(): Promise<void> {}

  replaceBlocks(place: ReorgPlace, request: ReorgRequest): Promise<L1Answer> {
    return replaceEngineBlocks(this, place, request);
  }

  /** Takes the newest blocks back. @throws RpcError if L1 has fewer */
  async rollBack(depth: number): Promise<void> {
    const head = await this.head();
    const { parentHash, number, timestamp } = await this.#mustHave(head, depth);
    await blocksAbove(this, number - 1, head);
    await this.#calls.choose(await this.#headsOn(parentHash, number - 1), timestamp);
  }

  /** Replaces the newest blocks, one for each list, by others with these transactions alone. @throws RpcError */
  async replaceBy(transactions: readonly (readonly Hex[])[]): Promise<void> {
    const head = await this.head();
    await this.#mustHave(head, transactions.length);
    const { block } = present((await this.block(head)) ?? undefined, 'head of L1');
    await makeOtherBlocks(this, block, transactions);
  }

  /** Returns the oldest of the newest blocks. @throws RpcError if it is genesis, which stays */
  async #mustHave(head: number, depth: number): Promise<JournalBlock> {
    const oldest = depth > head ? null : await this.block(head - depth + 1);
    if (oldest !== null) return oldest.block;
    throw new RpcError(RPC_CODE.invalidParams, `L1 has ${head} blocks above its genesis: expected at most so many`);
  }

  async drop(hash: string): Promise<void> {
    await this.#rpc.call(DROP, [hash]);
  }

  /** The client takes checkpoints of its own: the supervisor asks it. */
  async checkpoint(): Promise<() => Promise<void>> {
    return async () => {};
  }

  close(): void {
    this.#rpc.close();
    this.#engine.close();
  }

  /** Number of L1's newest final block. */
  async finalized(): Promise<number> {
    return Number((await this.#blockAt('finalized'))?.number ?? 0);
  }

  async giveSidecars({ blobTransactions }: FetchedBlock): Promise<void> {
    for (const network of blobTransactions.values()) await this.#giveSidecar(bytesToHex(network));
  }

  /** Gives the client the blobs of a transaction, which it may refuse for its pool. */
  async #giveSidecar(network: Hex): Promise<void> {
    await this.#rpc.call('eth_sendRawTransaction', [network], { timeoutMs: 60_000 }).catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
    });
  }

  async #make(wish: BlockWish): Promise<FetchedBlock> {
    const parent = present((await this.#blockByHash(wish.parent)) ?? undefined, 'parent block of L1');
    const payload = await this.#calls.build(await this.#headsOn(wish.parent, Number(parent.number)), wish);
    const { blockHash } = payload.executionPayload;
    const blobTransactions = blobTransactionsOf(payload);
    // Before L1 has the block: a beacon that is killed in between takes it over with its blobs.
    for (const [hash, network] of blobTransactions) this.#place.blobTransactions.put(hash, network);
    await this.#calls.execute(payload, wish);
    await this.#calls.choose(await this.#headsOn(blockHash, Number(parent.number) + 1, parent.hash), wish.timestamp);
    const block = await this.#rpc.call<RpcBlock>('eth_getBlockByHash', [blockHash, true]);
    return fetchedOf(block, (hash) => blobTransactions.get(hash));
  }

  /** Names the safe and the final block below a head, as epochs of that length make them. */
  async #headsOn(head: Hex, number: number, parent?: Hex): Promise<Heads> {
    const { slotsInAnEpoch: epoch } = this.#place;
    const below = async (depth: number) => {
      if (depth === 1 && parent !== undefined) return parent;
      return (await this.hash(Math.max(0, number - depth))) ?? ZERO_HASH;
    };
    return { head, safe: await below(epoch), finalized: await below(2 * epoch) };
  }

  #blockAt(block: string) {
    return this.#rpc.call<RpcBlock | null>('eth_getBlockByNumber', [block, false]);
  }

  #blockByHash(hash: Hex) {
    return this.#rpc.call<RpcBlock | null>('eth_getBlockByHash', [hash, false]);
  }
}
