import { serve } from '../../rpc/server/server.ts';
import { readOrCreateJwtSecret } from '../../system/crypto/jwt-secret.ts';
import type { Logger } from '../../system/program/log.ts';
import type { ListenAddress } from '../service/host-origin.ts';
import type { DriverEvent } from './driver/events.ts';
import { eventStream } from './interop/event-stream.ts';
import { blockIdOf, type InteropContext, interopMethods } from './methods/interop.ts';

/** Events queued for a supervisor that pulls them. */
const MAX_QUEUED_EVENTS = 100;

/** Settings of the interop RPC. */
export interface InteropOptions extends ListenAddress {
  /** Created if it is absent, filled if it is empty. */
  readonly secretFile: string;
}

/** The interop RPC for a supervisor, which kona calls by `ManagedNodeClient`. */
export interface InteropServer {
  onEvent(event: DriverEvent): void;
  /** Starts the server. @throws the listen error */
  start(context: Omit<InteropContext, 'events'>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the interop RPC: WebSocket only, with a JWT per connection.
 * @throws Failure `jwt-secret` on an unusable secret file
 */
export function interopServer({ secretFile, ...place }: InteropOptions, log: Logger): InteropServer {
  const jwtSecret = readOrCreateJwtSecret(secretFile, (message) => log.warn(message), 'filled');
  const events = eventStream(MAX_QUEUED_EVENTS);
  let server: { readonly port: number; close(): Promise<void> } | undefined;
  return {
    onEvent(event) {
      if (event.kind === 'reset') events.push({ reset: event.reason });
      if (event.kind === 'exhausted')
        events.push({ exhaustL1: { source: event.origin, derived: blockIdOf(event.head) } });
    },
    async start(context) {
      server = await serve<InteropContext>({
        http: false,
        websocket: true,
        jwtSecret,
        ...place,
        methods: interopMethods,
        context: { ...context, events },
        onInternalError: (name, error) => log.warn('an interop method failed', { method: name, error }),
      });
      log.info('interop listens', { port: server.port });
    },
    async stop() {
      await server?.close();
    },
  };
}
