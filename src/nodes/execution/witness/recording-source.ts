import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { StateSource } from '../state/reader.ts';
import { rlpOf } from '../trie/encode.ts';
import type { Node, StoredNode } from '../trie/node.ts';

/** Passes reads on to a source and records them. */
export class RecordingSource implements StateSource {
  readonly #below: StateSource;
  /** RLP of trie nodes by hash. */
  readonly nodes = new Map<Hex, Uint8Array>();
  /** Code by hash. */
  readonly codes = new Map<Hex, Uint8Array>();

  constructor(below: StateSource) {
    this.#below = below;
  }

  root(hash: Uint8Array): StoredNode {
    return this.#below.root(hash);
  }

  node(stored: StoredNode): Node {
    const node = this.#below.node(stored);
    const key = bytesToHex(stored.hash);
    // Nodes below a stored one are encoded already, so nothing is emitted.
    if (!this.nodes.has(key))
      this.nodes.set(
        key,
        rlpOf(node, () => {}),
      );
    return node;
  }

  code(hash: Uint8Array): Uint8Array {
    const code = this.#below.code(hash);
    this.codes.set(bytesToHex(hash), code);
    return code;
  }
}
