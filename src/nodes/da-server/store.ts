import { join } from 'node:path';
import {
  type DaCommitment,
  decodeCommitment,
  isCommittedTo,
  keccakCommitment,
} from '../../protocol/derivation/da-commitment.ts';
import { hexToBytes } from '../../protocol/hex.ts';
import { writeAtomic } from '../../system/files/atomic-write.ts';
import { readWhole } from '../../system/files/copy.ts';
import { exists } from '../../system/files/folder.ts';

/** How the server answers: the truth, or one lie. */
export const ANSWERS = ['honest', 'withhold', 'wrong-data', 'wrong-commitment'] as const;
/** One of {@link ANSWERS}. */
export type Answers = (typeof ANSWERS)[number];

/** The data of a DA server by commitment, on disk. It answers as it is told to. */
export class DaStore {
  readonly #folder: string;
  #answers: Answers = 'honest';

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** How it answers from now on. */
  set answers(answers: Answers) {
    this.#answers = answers;
  }

  /** Keeps data on disk and returns its generic commitment: the kind byte and the hash. */
  put(data: Uint8Array): DaCommitment {
    const keccak = keccakCommitment(data);
    const generic = decodeCommitment(Uint8Array.of(1, ...hexToBytes(keccak.encoded).subarray(1)));
    writeAtomic(this.#pathOf(generic), data);
    // Of the other kind: derivation drops it.
    return this.#answers === 'wrong-commitment' ? keccak : generic;
  }

  /** Keeps data under the keccak commitment that its writer computed. Returns false if it is another one's. */
  putAs(commitment: DaCommitment, data: Uint8Array): boolean {
    if (commitment.kind !== 'keccak' || !isCommittedTo(commitment, data)) return false;
    writeAtomic(this.#pathOf(commitment), data);
    return true;
  }

  /** Reads the data of a commitment; undefined if it has none. */
  get(commitment: DaCommitment): Uint8Array | undefined {
    if (this.#answers === 'withhold') return undefined;
    const path = this.#pathOf(commitment);
    if (!exists(path)) return undefined;
    const data = readWhole(path);
    return this.#answers === 'wrong-data' ? data.map((byte) => byte ^ 0xff) : data;
  }

  #pathOf({ encoded }: DaCommitment): string {
    return join(this.#folder, encoded.slice(2));
  }
}
