import type { StateDiff } from '../state/commit.ts';
import type { StateSource } from '../state/reader.ts';
import { decodeNode, type Node } from '../trie/node.ts';
import type { Database } from './database.ts';
import { LruMap, latin1 } from './lru-map.ts';

/** Decoded trie nodes and code kept in memory, in entries. */
const NODE_CACHE = 16_384;
const CODE_CACHE = 512;

/** Trie nodes and code by hash, on disk for good (every block's state stays readable), the recently used ones in memory. */
export class StateStore implements StateSource {
  readonly #nodes = new LruMap<Node>(NODE_CACHE);
  readonly #codes = new LruMap<Uint8Array>(CODE_CACHE);
  readonly #readNode;
  readonly #readCode;
  readonly #writeNode;
  readonly #writeCode;

  constructor(db: Database) {
    this.#readNode = db.prepare(
      'SELECT rlp FROM nodes WHERE substr(hash, 1, 8) = substr(?1, 1, 8) AND hash = ?1 LIMIT 1',
    );
    this.#readCode = db.prepare('SELECT code FROM codes WHERE hash = ?');
    this.#writeNode = db.prepare('INSERT INTO nodes (hash, rlp) VALUES (?, ?)');
    this.#writeCode = db.prepare('INSERT OR IGNORE INTO codes VALUES (?, ?)');
  }

  node(hash: Uint8Array): Node {
    const key = latin1(hash);
    const cached = this.#nodes.get(key);
    if (cached !== undefined) return cached;
    const row = this.#readNode.get(hash) as { rlp: Uint8Array } | undefined;
    if (row === undefined) throw new Error(`state is missing: no trie node ${Buffer.from(hash).toString('hex')}`);
    const node = decodeNode(row.rlp, hash);
    this.#nodes.set(key, node);
    return node;
  }

  code(hash: Uint8Array): Uint8Array {
    const key = latin1(hash);
    const cached = this.#codes.get(key);
    if (cached !== undefined) return cached;
    const row = this.#readCode.get(hash) as { code: Uint8Array } | undefined;
    if (row === undefined) throw new Error(`state is missing: no code ${Buffer.from(hash).toString('hex')}`);
    this.#codes.set(key, row.code);
    return row.code;
  }

  /** Writes a state's new nodes and code. Call it inside the transaction of its block. A node that comes back is written again: looking first costs more. */
  write(diff: StateDiff): void {
    for (const { hash, rlp } of diff.nodes) this.#writeNode.run(hash, rlp);
    for (const { hash, code } of diff.codes) this.#writeCode.run(hash, code);
  }
}
