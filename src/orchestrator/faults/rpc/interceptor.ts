import type { Socket } from '../../../system/net/socket.ts';

/** Serves the connections of a link in place of its target. */
export interface Interceptor {
  readonly accept: (socket: Socket) => void;
  readonly close: () => void;
}

/** The server behind a link. */
export interface InterceptedServer {
  readonly url: string;
  /** Its name in messages. */
  readonly name: string;
  /** Aborted when another set of faults, or none, applies to the link. */
  readonly healed: AbortSignal;
}
