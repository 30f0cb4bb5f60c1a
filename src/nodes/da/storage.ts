import { isCommittedTo } from '../../protocol/derivation/da-commitment.ts';
import type { DaStorage } from '../../protocol/derivation/ports.ts';
import { httpGet } from '../../rpc/client/http-rest.ts';

/** Settings of the reader. */
export interface DaStorageOptions {
  /** Address of the DA server. */
  readonly url: string;
  /** Milliseconds; 0: no limit. */
  readonly timeoutMs: number;
  /** Compares each answer with its commitment. */
  readonly verify: boolean;
}

/** Most bytes of an answer. */
const MAX_ANSWER = 64 * 1024 * 1024;

/**
 * Creates a reader of a DA server over HTTP (op-alt-da: `DAClient`, `GetInput`; specification: alt-da, DA Server).
 * It rejects if the server does not answer or returns other data than was committed to.
 */
export function daStorage({ url, timeoutMs, verify }: DaStorageOptions): DaStorage {
  return async (commitment) => {
    const address = `${url.replace(/\/$/, '')}/get/${commitment.encoded}`;
    const { status, body, text } = await httpGet(address, { timeoutMs, maxBytes: MAX_ANSWER });
    if (status === 404) return null;
    if (status !== 200) throw new Error(`the DA server answers ${status} for ${address}: ${text.slice(0, 200)}`);
    if (verify && !isCommittedTo(commitment, body))
      throw new Error(`the DA server answers other data than was committed to: ${address}`);
    return body;
  };
}
