import type { RawData, WebSocket } from 'ws';
import type { Handlers, ListenerOptions } from '../server/listener.ts';
import { answerOwn, type GatewayMethods, type GatewayTarget } from './methods.ts';
import { silence, type Upstream } from './upstream.ts';

export interface GatewayOptions extends ListenerOptions {
  /** URL of the target, which serves HTTP and WebSocket on one port. */
  readonly target: string;
  /** Name of the target in messages. */
  readonly targetName: string;
  /** Methods that the gateway answers itself. All other requests and their answers pass byte for byte. */
  readonly methods: GatewayMethods;
  /** Returns what to wait for before the target may answer; undefined: it may. */
  readonly waiting?: () => Promise<void> | undefined;
  /** Methods that change nothing. A request for them is sent again if a kept connection to the server broke. */
  readonly isRead: (method: string) => boolean;
  /** Bytes of a request's body, or of a WebSocket message. */
  readonly maxBody: number;
  /**
   * Bytes of all HTTP bodies in memory; more requests are refused (503). A body of unknown length counts as the
   * largest.
   */
  readonly maxHeld: number;
}

/** Bytes queued for the target at which reading from the caller pauses. */
const HIGH_WATER = 1024 * 1024;
/** Unread bytes at which a caller's connection is closed. */
const MAX_UNREAD = 64 * 1024 * 1024;

/** Connects each caller's WebSocket to one at the target, message by message. */
export function openRelay(
  behind: Upstream,
  { methods, waiting }: Pick<GatewayOptions, 'methods' | 'waiting'>,
): NonNullable<Handlers['upgrade']>['open'] {
  return async (request, accept, refuse) => {
    await waiting?.();
    if (request.socket.destroyed) return;
    const far = behind.connect(request);
    request.socket.once('close', () => far.terminate());
    let isOpen = false;
    far.on('error', (error: NodeJS.ErrnoException) => {
      if (!isOpen) refuse({ status: 502, reason: silence(behind.name, error) });
    });
    far.once('open', () => {
      isOpen = true;
      accept((near) => relay(near, far, { name: behind.name, target: behind.on(request), methods }));
    });
  };
}

/** The target of a WebSocket, and the methods that the gateway answers itself. */
interface Relayed {
  readonly name: string;
  readonly target: GatewayTarget;
  readonly methods: GatewayMethods;
}

function relay(near: WebSocket, far: WebSocket, { name, target, methods }: Relayed): void {
  const answer = (data: RawData, binary: boolean) => {
    if (near.bufferedAmount > MAX_UNREAD) near.terminate();
    else near.send(data, { binary });
  };
  near.on('message', (data: Buffer, binary) => {
    const ownAnswer = answerOwn(methods, data, target);
    if (ownAnswer !== undefined) return void ownAnswer.then((text) => text !== '' && answer(Buffer.from(text), false));
    far.send(data, { binary }, () => {
      if (near.isPaused && far.bufferedAmount < HIGH_WATER) near.resume();
    });
    if (far.bufferedAmount > HIGH_WATER) near.pause();
  });
  far.on('message', answer);
  near.on('error', () => near.terminate());
  far.on('close', () => near.close(GOING_AWAY, `${name} ended the connection`));
}

/** Status of a connection whose server goes away (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001;
