import { LRUCache } from 'lru-cache';
import { bytesToHex } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import { byteKey } from '../state/byte-key.ts';
import type { StateDiff } from '../state/commit.ts';
import type { StateSource } from '../state/reader.ts';
import { type Node, type StoredNode, storedNode } from '../trie/node.ts';
import { packNodeIds, unpackNodeIds } from '../trie/node-ids.ts';
import { decodeNode, detachNode, references } from '../trie/stored.ts';
import type { Database } from './database.ts';
import { bytesIn, integerIn, maximumIn } from './row.ts';

/**
 * Decoded trie nodes in memory, counted with their children: branches grow with the trie. Each counts 200 bytes.
 * Without them each write to a large state reads its path again: a tenth of an import.
 */
const NODE_CACHE = 65_536;
/** Entries of code and of state roots. */
const CODE_CACHE = 512;
const ROOT_CACHE = 512;

/** A state that is being written. Each call runs inside a transaction. */
interface StateWriting {
  /** Nodes that are not written yet. */
  readonly left: number;
  nodes(count: number): void;
  /** Writes the remaining nodes, the code and the root. */
  rest(): void;
}

/** Trie nodes and code on disk, with a cache (geth: `triedb.Database`). Every state stays readable. */
export class StateStore implements StateSource {
  readonly #nodes = new LRUCache<number, Node>({ maxSize: NODE_CACHE, sizeCalculation: weightOf });
  readonly #codes = new LRUCache<string, Uint8Array>({ max: CODE_CACHE });
  readonly #roots = new LRUCache<string, number>({ max: ROOT_CACHE });
  readonly #sql;
  /** Row id of the next node. It is not reused, also after a rollback. */
  #nextId: number;

  constructor(db: Database) {
    this.#sql = {
      node: db.prepare('SELECT rlp, places AS ids FROM nodes WHERE id = ?'),
      root: db.prepare('SELECT id FROM roots WHERE hash = ?'),
      code: db.prepare('SELECT code FROM codes WHERE hash = ?'),
      setNode: db.prepare('INSERT INTO nodes VALUES (?, ?, ?)'),
      setRoot: db.prepare('INSERT OR IGNORE INTO roots VALUES (?, ?)'),
      setCode: db.prepare('INSERT OR IGNORE INTO codes VALUES (?, ?)'),
    };
    this.#nextId = maximumIn(db.prepare('SELECT max(id) AS id FROM nodes').get(), 'id') + 1;
  }

  node(stored: StoredNode): Node {
    const { id } = stored;
    if (id === undefined) throw missingNode(stored);
    const cached = this.#nodes.get(id);
    if (cached !== undefined) return cached;
    const row = this.#sql.node.get(id);
    if (row === undefined) throw missingNode(stored);
    const ids = row['ids'] === null ? [] : unpackNodeIds(bytesIn(row, 'ids'));
    const node = decodeNode(bytesIn(row, 'rlp'), stored.hash, ids);
    this.#nodes.set(id, node);
    return node;
  }

  root(hash: Uint8Array): StoredNode {
    const key = byteKey(hash);
    let id = this.#roots.get(key);
    if (id === undefined) {
      const row = this.#sql.root.get(hash);
      id = row && integerIn(row, 'id');
      if (id !== undefined) this.#roots.set(key, id);
    }
    return storedNode(hash, id);
  }

  code(hash: Uint8Array): Uint8Array {
    const key = byteKey(hash);
    const cached = this.#codes.get(key);
    if (cached !== undefined) return cached;
    const row = this.#sql.code.get(hash);
    if (row === undefined) throw new Error(`state is missing: no code ${bytesToHex(hash)}`);
    const code = bytesIn(row, 'code');
    this.#codes.set(key, code);
    return code;
  }

  /**
   * Writes the new nodes and code of a state. Call it inside a transaction.
   * Existing nodes are written again, because a lookup costs more.
   */
  write(diff: StateDiff): void {
    this.writing(diff).rest();
  }

  /** Writes a state in parts. Nothing references the nodes before `rest`. */
  writing(diff: StateDiff): StateWriting {
    const written = new Map<Node, number>();
    const idOf = (to: ReturnType<typeof references>[number]): number => {
      const id = typeof to === 'number' ? to : to.kind === 'stored' ? to.id : written.get(to);
      if (id === undefined) throw new Error('a trie node references one that is not in the store');
      return id;
    };
    let next = 0;
    const write = ({ rlp, node }: StateDiff['nodes'][number]) => {
      const ids = references(node).map(idOf);
      const id = this.#nextId++;
      written.set(node, id);
      this.#sql.setNode.run(id, rlp, ids.length === 0 ? null : packNodeIds(ids));
      this.#nodes.set(id, detachNode(node, rlp, ids));
    };
    const nodes = (count: number) => {
      for (const node of diff.nodes.slice(next, next + count)) {
        write(node);
        next++;
      }
    };
    return {
      get left() {
        return diff.nodes.length - next;
      },
      nodes,
      rest: () => {
        nodes(diff.nodes.length);
        const top = diff.nodes.at(-1);
        if (top !== undefined && byteKey(top.hash) === byteKey(diff.root))
          this.#sql.setRoot.run(diff.root, present(written.get(top.node), 'id of the root'));
        for (const { hash, code } of diff.codes) this.#sql.setCode.run(hash, code);
      },
    };
  }
}

function missingNode({ hash }: StoredNode): Error {
  return new Error(`state is missing: no trie node ${bytesToHex(hash)}`);
}

function weightOf(node: Node): number {
  if (node.kind !== 'branch') return 1;
  let weight = 1;
  for (const child of node.children) if (child !== null) weight++;
  return weight;
}
