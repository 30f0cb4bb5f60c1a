import {
  type CommitmentKind,
  type DaCommitment,
  decodeCommitment,
  keccakCommitment,
} from '../../protocol/derivation/da-commitment.ts';
import { httpPost } from '../../rpc/client/http-rest.ts';

/** Settings of the writer. */
export interface DaPutOptions {
  /** Address of the DA server. */
  readonly url: string;
  /** Milliseconds; 0: no limit. */
  readonly timeoutMs: number;
  /** keccak: the commitment is computed here. generic: it is the answer of the server. */
  readonly kind: CommitmentKind;
}

/**
 * Writes data to a DA server and resolves with its commitment, which goes to L1 (op-alt-da: `SetInput`).
 * Rejects if the server does not accept the data.
 */
export type DaPut = (data: Uint8Array) => Promise<DaCommitment>;

/** Most bytes of a commitment that a server answers. */
const MAX_COMMITMENT = 64 * 1024;

/** Creates a writer to a DA server over HTTP (op-alt-da: `DAClient`; specification: alt-da, DA Server). */
export function daPut({ url, timeoutMs, kind }: DaPutOptions): DaPut {
  const address = `${url.replace(/\/$/, '')}/put`;
  return async (data) => {
    const commitment = kind === 'keccak' ? keccakCommitment(data) : undefined;
    const target = commitment === undefined ? address : `${address}/${commitment.encoded}`;
    const { status, body, text } = await httpPost(target, data, { timeoutMs, maxBytes: MAX_COMMITMENT });
    if (status !== 200) throw new Error(`the DA server answers ${status} for ${target}: ${text.slice(0, 200)}`);
    return commitment ?? decodeCommitment(body);
  };
}
