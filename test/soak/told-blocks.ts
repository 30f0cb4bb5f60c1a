import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type NodeStatus, rpc } from '../e2e/devnet.ts';

/** Pause (ms) between two requests to a node, and the time that it has to answer. */
const PAUSE_MS = 20;
const ANSWER_MS = 1000;

interface Block {
  readonly number: string;
  readonly hash: string;
}

/** A block as a node told it first. `at`: monotonic milliseconds. */
interface ToldBlock {
  readonly number: number;
  readonly hash: string;
  readonly by: string;
  readonly at: number;
}

/** Reads the newest block of each node of a chain until it is ended, and keeps all that they tell. */
export class ToldBlocks {
  readonly #byHash = new Map<string, ToldBlock>();
  readonly #nodes: readonly NodeStatus[];
  readonly #looks: readonly Promise<void>[];
  readonly #listeners = new Set<(block: ToldBlock) => void>();
  #isOver = false;

  constructor(nodes: readonly NodeStatus[]) {
    this.#nodes = nodes;
    this.#looks = nodes.map((node) => this.#look(node));
  }

  get count(): number {
    return this.#byHash.size;
  }

  /** Returns the highest number that a node has told. */
  get highest(): number {
    return Math.max(0, ...[...this.#byHash.values()].map(({ number }) => number));
  }

  /** Resolves with the first block above a number that a node tells, other than one of some nodes. */
  async next(above: number, without: string): Promise<ToldBlock> {
    const known = [...this.#byHash.values()].find(({ number, by }) => number > above && by !== without);
    if (known !== undefined) return known;
    const { promise, resolve } = Promise.withResolvers<ToldBlock>();
    const listener = (block: ToldBlock) => block.number > above && block.by !== without && resolve(block);
    this.#listeners.add(listener);
    return promise.finally(() => this.#listeners.delete(listener));
  }

  /** Lists the heights of which nodes have told different blocks. */
  conflicts(): readonly string[] {
    const byNumber = Map.groupBy(this.#byHash.values(), ({ number }) => number);
    return [...byNumber].flatMap(([number, blocks]) =>
      blocks.length > 1 ? [`${number}: ${blocks.map(({ by, hash }) => `${by} ${hash}`).join(', ')}`] : [],
    );
  }

  /** Ends the looks. Every block that was told must be a block of every node. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#looks);
    for (const { el, name } of this.#nodes)
      for (const { number, hash } of this.#byHash.values()) {
        const block = await rpc<Block | null>(el.http, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false);
        expect({ name, number, hash: block?.hash }).toEqual({ name, number, hash });
      }
  }

  async #look({ name, el }: NodeStatus): Promise<void> {
    while (!this.#isOver) {
      const block = await latest(el.http).catch(() => undefined);
      if (block !== undefined && !this.#byHash.has(block.hash)) {
        const told = { number: Number(block.number), hash: block.hash, by: name, at: performance.now() };
        this.#byHash.set(block.hash, told);
        for (const listener of [...this.#listeners]) listener(told);
      }
      await sleep(PAUSE_MS);
    }
  }
}

/** Reads the newest block, with a limit of its own: a node that is frozen takes connections and answers nothing. */
async function latest(url: string): Promise<Block> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const { result } = (await response.json()) as { result: Block };
  return result;
}
