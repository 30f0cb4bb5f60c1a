import { keccak256 } from '../../protocol/hash.ts';
import { RpcError } from '../../rpc/error.ts';
import { isJsonObject } from '../../rpc/json-object.ts';
import type { Member } from './member.ts';

/** The most transactions that are kept. The oldest ones are dropped. */
const MAX_PENDING = 20_000;
/** Requests to a new leader at a time. */
const AT_ONCE = 50;

/**
 * The transactions that the leader has taken and no committed block has, in memory. The pool of a leader that is lost
 * may be the only one with them: the next leader gets them.
 */
export class Pending {
  /** Encoded forms in the order in which they came, each with its hash once it was computed. */
  #raw = new Map<string, string | undefined>();

  get count(): number {
    return this.#raw.size;
  }

  /** Keeps transactions, each in its encoded form. */
  add(transactions: Iterable<string>): void {
    for (const raw of transactions) if (!this.#raw.has(raw)) this.#raw.set(raw, undefined);
    for (const oldest of this.#raw.keys()) {
      if (this.#raw.size <= MAX_PENDING) return;
      this.#raw.delete(oldest);
    }
  }

  /** Drops those of a committed block. */
  included(transactions: readonly string[]): void {
    for (const raw of transactions) this.#raw.delete(raw);
  }

  /** Drops those with these hashes. */
  includedHashes(hashes: ReadonlySet<string>): void {
    for (const [raw, earlier] of this.#raw) {
      const hash = earlier ?? hashOf(raw);
      if (hashes.has(hash)) this.#raw.delete(raw);
      else if (earlier === undefined) this.#raw.set(raw, hash);
    }
  }

  /** Sends all to a new leader, and drops those that it refuses. It has some, or its chain has. */
  async resend(member: Member): Promise<void> {
    const all = [...this.#raw.keys()];
    for (let at = 0; at < all.length; at += AT_ONCE)
      await Promise.all(
        all.slice(at, at + AT_ONCE).map((raw) =>
          member.sendTransaction(raw).catch((error: unknown) => {
            if (error instanceof RpcError && !/already known/i.test(error.message)) this.#raw.delete(raw);
          }),
        ),
      );
  }

  /** Returns a function that restores the present ones. */
  remember(): () => void {
    const raw = [...this.#raw];
    return () => {
      this.#raw = new Map(raw);
    };
  }
}

/** A request that sends a transaction: the id of the request, and the transaction in its encoded form. */
export interface Sending {
  readonly id: unknown;
  readonly raw: string;
}

/** Reads the requests of a body that send transactions. */
export function sendingsIn(body: Buffer): readonly Sending[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    return [];
  }
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((request) => {
    if (!isJsonObject(request) || request['method'] !== 'eth_sendRawTransaction') return [];
    const [raw] = Array.isArray(request['params']) ? request['params'] : [];
    return typeof raw === 'string' ? [{ id: request['id'] ?? null, raw: raw.toLowerCase() }] : [];
  });
}

/** Answers a request that sends a transaction with its hash. */
export function answerOf({ id, raw }: Sending): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: hashOf(raw) });
}

function hashOf(raw: string): string {
  return keccak256(Buffer.from(raw.slice(2), 'hex'));
}
