import type { RpcError } from '../../../rpc/error.ts';
import type { Envelope } from '../../../rpc/server/envelope.ts';

/** Counts the response bytes of all tracers of one request and so bounds their memory. */
export class ResponseSizeLimit {
  #left: number;
  readonly #refusal: () => RpcError;

  constructor(bytes: number, refusal: () => RpcError) {
    this.#left = bytes;
    this.#refusal = refusal;
  }

  /** Counts bytes before they are kept. @throws RpcError above the limit */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw this.#refusal();
  }
}

/** Parts of the node that limit a response. `response`: its maximum bytes. */
interface ResponseContext {
  readonly limits: { readonly response: number };
  readonly flavour: { readonly envelope: Pick<Envelope, 'responseTooLarge'> };
}

/** Returns the limit of one response. */
export function responseSizeLimit({ limits, flavour }: ResponseContext): ResponseSizeLimit {
  return new ResponseSizeLimit(limits.response, () => flavour.envelope.responseTooLarge(limits.response));
}
