import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { StateSource } from '../state/reader.ts';
import { type Node, rlpOf } from '../trie/node.ts';

/** Passes on what a state is read from, and keeps all of it that was asked for. */
export class RecordingSource implements StateSource {
  readonly #below: StateSource;
  /** RLP of trie nodes by hash. */
  readonly nodes = new Map<Hex, Uint8Array>();
  /** Code by hash. */
  readonly codes = new Map<Hex, Uint8Array>();

  constructor(below: StateSource) {
    this.#below = below;
  }

  node(hash: Uint8Array): Node {
    const node = this.#below.node(hash);
    const key = bytesToHex(hash);
    // All that lies below a stored node is encoded already: nothing is emitted.
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
