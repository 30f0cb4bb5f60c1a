import { setTimeout as pause } from 'node:timers/promises';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { asError } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { HashList } from './hash-list.ts';
import { blocksOf, headerOf, headersBelow } from './peer.ts';

/** Maximum hashes held of a backfill (32 MiB). A longer one takes several passes. */
const MAX_PASS_HASHES = 1_048_576;
/** Headers and blocks in one request. */
const REQUEST_HEADERS = 256;
const REQUEST_BLOCKS = 16;
/** Milliseconds between rounds while no peer answers. */
const ROUND_PAUSE_MS = { first: 100, longest: 5000 };

/** Peers of a backfill, and its callbacks. */
export interface BackfillOptions {
  readonly peers: readonly RpcClient[];
  readonly log: Logger;
  readonly isKnown: (hash: Hex) => boolean;
  /** Called with blocks before the first of them is taken. */
  readonly onFetched: (blocks: readonly UnexecutedBlock[]) => void;
  /** Executes and stores a block whose parent is known. Resolves to whether it is valid. */
  readonly take: (block: UnexecutedBlock) => Promise<boolean>;
  /** Called when an ancestor of the requested block is invalid. */
  readonly refuse: (target: Hex, invalid: Hex) => void;
  /** Called when the requested block is known or will never be. */
  readonly onReached: () => Promise<void>;
  /** Called with the progress when fetching begins, and when it ends. */
  readonly onProgress: (progress: SyncProgress | undefined) => void;
}

/** Block numbers of the start, the last executed block and the target. */
export interface SyncProgress {
  readonly starting: number;
  readonly current: number;
  readonly highest: number;
}

/**
 * Backfills missing blocks from peers: headers backwards to a known block, then bodies forwards.
 * Each block is checked by its hash and by execution. Executed blocks are stored, so a restarted process continues
 * there. geth: `BeaconSync`, reth: `PipelineSync`, `BackfillSync`.
 */
export class Backfill {
  readonly #options: BackfillOptions;
  #target: Hex | undefined;
  #progress: SyncProgress | undefined;
  #running: Promise<void> | undefined;
  #stopped = new AbortController();
  #isClosed = false;

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  get progress(): SyncProgress | undefined {
    return this.#progress;
  }

  /** Requests a block and its ancestors. It replaces an earlier request. */
  request(target: Hex): void {
    if (this.#isClosed || this.#options.peers.length === 0 || this.#target === target) return;
    this.stop();
    this.#target = target;
    this.#stopped = new AbortController();
    const { signal } = this.#stopped;
    this.#running = (this.#running ?? Promise.resolve()).then(() => this.#run(target, signal));
  }

  /** Cancels the request. */
  stop(): void {
    if (this.#target === undefined) return;
    this.#stopped.abort();
    this.#target = undefined;
    const wasFetching = this.#progress !== undefined;
    this.#progress = undefined;
    if (wasFetching) this.#options.onProgress(undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.stop();
    for (const peer of this.#options.peers) peer.close();
    await this.#running;
  }

  async #run(target: Hex, signal: AbortSignal): Promise<void> {
    const { peers, log } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#reach(present(peers[attempt % peers.length], 'peer'), target, signal);
        if (signal.aborted) return;
        this.stop();
        // Not awaited: it may request another block, which waits for the end of this run.
        void this.#options
          .onReached()
          .catch((error: unknown) => log.warn('cannot move to the fetched head', { error: asError(error) }));
        return;
      } catch (error) {
        if (signal.aborted) return;
        const round = Math.floor(attempt / peers.length);
        if (round === 0 || round % 10 === 0)
          log.warn('a peer cannot serve missing blocks', { target, error: asError(error) });
        if (attempt % peers.length === peers.length - 1)
          await pause(Math.min(ROUND_PAUSE_MS.longest, ROUND_PAUSE_MS.first * 2 ** Math.min(round, 10)), undefined, {
            signal,
          }).catch(() => {});
      }
    }
  }

  /** Resolves when the target is known or invalid. @throws if this peer cannot serve it */
  async #reach(peer: RpcClient, target: Hex, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#options.isKnown(target)) {
      const way = await this.#wayBack(peer, target, signal);
      let next = this.#fetching(peer, way.takeOldest(REQUEST_BLOCKS));
      while (next !== undefined && !signal.aborted) {
        const blocks = await next;
        next = this.#fetching(peer, way.takeOldest(REQUEST_BLOCKS));
        for (const block of blocks) {
          if (signal.aborted) return;
          const isValid = await this.#options.take(block);
          if (!isValid) return this.#options.refuse(target, block.hash);
          if (this.#progress !== undefined) this.#progress = { ...this.#progress, current: block.header.number };
        }
      }
    }
  }

  /** Returns the hashes from the target down to the child of a known block (reth: `ReverseHeadersDownloader`). */
  async #wayBack(peer: RpcClient, target: Hex, signal: AbortSignal): Promise<HashList> {
    const way = new HashList(MAX_PASS_HASHES);
    let at: readonly [Hex, BlockHeader] = [target, await headerOf(peer, target)];
    const highest = at[1].number;
    const isParentKnown = () => this.#options.isKnown(at[1].parentHash);
    way.push(target);
    for (let count = 2; !isParentKnown() && !signal.aborted; count = Math.min(REQUEST_HEADERS, count * 4)) {
      if (at[1].number <= 1) throw new Error('the block belongs to a chain with another genesis block');
      const batch = await headersBelow(peer, at[1], count);
      // A block outside the peer's canonical chain is found by its hash only.
      if (batch.length === 0) batch.push([at[1].parentHash, await headerOf(peer, at[1].parentHash)]);
      for (const entry of batch) {
        if (isParentKnown()) break;
        at = entry;
        way.push(at[0]);
      }
    }
    const starting = at[1].number - 1;
    if (signal.aborted) return way;
    this.#progress = { starting, current: starting, highest };
    this.#options.onProgress(this.#progress);
    this.#options.log.info('fetching blocks', { from: starting + 1, to: highest });
    return way;
  }

  /** Starts to fetch blocks. Returns undefined for none. The awaiting caller receives the error. */
  #fetching(peer: RpcClient, hashes: readonly Hex[]): Promise<UnexecutedBlock[]> | undefined {
    if (hashes.length === 0) return undefined;
    const blocks = blocksOf(peer, hashes);
    blocks.then(this.#options.onFetched, () => {});
    return blocks;
  }
}
