import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';

const HASH_BYTES = 32;
/** Hashes in one buffer. */
const BUFFER_HASHES = 4096;

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
    if (this.#length % BUFFER_HASHES === 0) this.#pieces.push(Buffer.alloc(BUFFER_HASHES * HASH_BYTES));
    this.#pieces.at(-1)?.set(hexToBytes(hash), (this.#length % BUFFER_HASHES) * HASH_BYTES);
    this.#length++;
    if (this.#length > this.#limit && this.#pieces.length > 1) {
      this.#pieces.shift();
      this.#length -= BUFFER_HASHES;
    }
  }

  /** Removes up to `count` of the oldest hashes and returns them, oldest first. */
  takeOldest(count: number): Hex[] {
    const hashes: Hex[] = [];
    while (hashes.length < count && this.#length > 0) {
      const at = --this.#length % BUFFER_HASHES;
      hashes.push(bytesToHex(present(this.#pieces.at(-1), 'buffer').subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)));
      if (at === 0) this.#pieces.pop();
    }
    return hashes;
  }
}
