import { join } from 'node:path';
import * as z from 'zod';
import { envelopeFromJson } from '../../protocol/codec/payload-json.ts';
import { readJson, writeAtomic } from '../../system/files/atomic-write.ts';
import { exists } from '../../system/files/folder.ts';

/** The block that was committed last, with the envelope as the leader sent it. */
const block = z.object({ number: z.number(), hash: z.string(), envelope: z.unknown() });

/** What is on disk. `term` counts the leaders. */
const stored = z.object({ leader: z.nullable(z.string()), term: z.number(), last: z.nullable(block) });
type Stored = z.output<typeof stored>;

/**
 * The lead of a set of sequencers: one member has it, and it alone commits blocks. Each change is on disk before it has
 * an effect. This is no raft: one process holds it, and without that process no sequencer publishes a block.
 */
export class Lead {
  readonly #path: string;
  #now: Stored;
  #hasCommitted = false;

  constructor(folder: string) {
    this.#path = join(folder, 'lead.json');
    this.#now = exists(this.#path) ? stored.parse(readJson(this.#path)) : { leader: null, term: 0, last: null };
  }

  get leader(): string | null {
    return this.#now.leader;
  }

  get term(): number {
    return this.#now.term;
  }

  get last(): Stored['last'] {
    return this.#now.last;
  }

  /** Whether the leader has committed a block in its term. */
  get hasCommitted(): boolean {
    return this.#hasCommitted;
  }

  /** Gives the lead to a member. Blocks of the former leader are refused from now on. */
  give(leader: string): void {
    this.#keep({ ...this.#now, leader, term: this.#now.term + 1 });
    this.#hasCommitted = false;
  }

  /**
   * Commits a block. The first one of a term follows the last block that was committed, so that no height has two.
   * Returns its transactions, encoded.
   * @throws Error if the member may not commit it
   */
  commit(member: string, envelope: unknown): readonly string[] {
    const { leader, last } = this.#now;
    if (leader !== member) throw new Error(`${member} is not the leader: ${leader ?? 'there is none'}`);
    const { blockNumber, blockHash, parentHash, transactions } = envelopeFromJson(envelope).executionPayload;
    const [number, hash] = [Number(blockNumber), blockHash];
    const follows = last === null || parentHash === last.hash || hash === last.hash;
    if (!this.#hasCommitted && !follows)
      throw new Error(`block ${number} ${hash} does not follow block ${last?.number} ${last?.hash}, committed last`);
    this.#keep({ ...this.#now, last: { number, hash, envelope } });
    this.#hasCommitted = true;
    return transactions;
  }

  /** Releases the block that was committed last: the chain goes on without it. */
  release(): void {
    this.#keep({ ...this.#now, last: null });
  }

  /** Returns a function that restores the present state. */
  remember(): () => void {
    const [now, hasCommitted] = [this.#now, this.#hasCommitted];
    return () => {
      this.#keep(now);
      this.#hasCommitted = hasCommitted;
    };
  }

  #keep(next: Stored): void {
    writeAtomic(this.#path, JSON.stringify(next));
    this.#now = next;
  }
}
