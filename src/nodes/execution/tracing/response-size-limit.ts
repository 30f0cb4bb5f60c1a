import type { RpcError } from '../../../rpc/error.ts';
import type { ReadContext } from '../context.ts';

/** Bytes that what a request is told may take; shared by all tracers of one request, so that no trace outgrows the process. */
export class ResponseSizeLimit {
  #left: number;
  readonly #refusal: () => RpcError;

  constructor(bytes: number, refusal: () => RpcError) {
    this.#left = bytes;
    this.#refusal = refusal;
  }

  /** Before something is kept. @throws RpcError where there is no room for it */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw this.#refusal();
  }
}

/** Room for what one answer may hold. */
export function responseSizeLimit({ limits, flavour }: Pick<ReadContext, 'limits' | 'flavour'>): ResponseSizeLimit {
  return new ResponseSizeLimit(limits.response, () => flavour.envelope.responseTooLarge(limits.response));
}
