import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';

const SIZE = 32;
/** Hashes in one buffer. */
const PIECE = 4096;

/** Hashes from new to old, 32 bytes each. Above `limit` the newest are dropped, one buffer at a time. */
export class HashList {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  push(hash: Hex): void {
    if (this.#length % PIECE === 0) this.#pieces.push(Buffer.alloc(PIECE * SIZE));
    this.#pieces.at(-1)?.set(hexToBytes(hash), (this.#length % PIECE) * SIZE);
    this.#length++;
    if (this.#length > this.#limit && this.#pieces.length > 1) {
      this.#pieces.shift();
      this.#length -= PIECE;
    }
  }

  /** Removes up to `count` of the oldest hashes and returns them, oldest first. */
  takeOldest(count: number): Hex[] {
    const hashes: Hex[] = [];
    while (hashes.length < count && this.#length > 0) {
      const at = --this.#length % PIECE;
      hashes.push(bytesToHex(present(this.#pieces.at(-1), 'buffer').subarray(at * SIZE, (at + 1) * SIZE)));
      if (at === 0) this.#pieces.pop();
    }
    return hashes;
  }
}
