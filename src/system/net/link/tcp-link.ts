import type { Socket } from 'node:net';
import { type Acceptor, acceptAt } from '../acceptor.ts';
import { type Place, towards } from '../relay.ts';
import { CLEAN_LINK, Line, type LinkShape } from './line.ts';
import { ShapedStream } from './stream.ts';

/** Serves the connections of a link in place of its target. */
export type ConnectionHandler = (socket: Socket) => void;

/** A connection through a link. */
interface Connection {
  readonly there: ShapedStream;
  readonly back: ShapedStream;
  /** Ends both sockets at once. */
  end(): void;
}

/**
 * A proxy before a TCP port, whose connections are shaped. Bytes that it drops are held until they pass again, as
 * TCP sends them again.
 */
export class TcpLink {
  readonly #target: Place;
  readonly #there: Line;
  readonly #back: Line;
  readonly #connections = new Set<Connection>();
  /** Connections that a drop keeps from their target. */
  readonly #waiting = new Set<Socket>();
  /** Connections that the handler serves. */
  readonly #handled = new Set<Socket>();
  readonly #acceptor: Acceptor;
  #shape = CLEAN_LINK;
  #handler: ConnectionHandler | undefined;

  private constructor(target: Place, random: () => number, acceptor: Acceptor) {
    this.#target = target;
    this.#there = new Line(random);
    this.#back = new Line(random);
    this.#acceptor = acceptor;
  }

  /** Listens at a place and passes connections on to another. Rejects if it cannot listen. */
  static async open(at: Place, target: Place, random: () => number): Promise<TcpLink> {
    let take: ConnectionHandler = (socket) => socket.destroy();
    const acceptor = await acceptAt(at, (socket) => take(socket), { allowHalfOpen: true, noDelay: true });
    const link = new TcpLink(target, random, acceptor);
    take = (socket) => link.#accept(socket);
    return link;
  }

  /** Number of the port that it listens at. */
  get port(): number {
    return this.#acceptor.port;
  }

  /** Number of connections through it. */
  get size(): number {
    return this.#connections.size + this.#waiting.size + this.#handled.size;
  }

  /** Number of bytes that its connections hold. */
  get held(): number {
    return [...this.#connections].reduce((sum, { there, back }) => sum + there.held + back.held, 0);
  }

  get shape(): LinkShape {
    return this.#shape;
  }

  set shape(shape: LinkShape) {
    this.#shape = shape;
    this.#there.shape = shape.there;
    this.#back.shape = shape.back;
    if (shape.isCut) this.#endAll();
    for (const { there, back } of this.#connections) {
      there.reshape();
      back.reshape();
    }
    if (this.#isHeld) return;
    for (const socket of this.#waiting) this.#serve(socket);
    this.#waiting.clear();
  }

  /**
   * Takes new connections in place of the target while it is set. A change ends those that stand. Of the shape, a cut
   * and a drop of new connections apply to them.
   */
  set handler(handler: ConnectionHandler | undefined) {
    if (handler === this.#handler) return;
    this.#handler = handler;
    this.#endAll();
  }

  get handler(): ConnectionHandler | undefined {
    return this.#handler;
  }

  /** Closes its port and every connection. */
  stop(): Promise<void> {
    this.#endAll();
    return this.#acceptor.stop();
  }

  /** A connection cannot open without packets of both directions. */
  get #isHeld(): boolean {
    return this.#shape.there.isDropped || this.#shape.back.isDropped;
  }

  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.#shape.isCut) socket.resetAndDestroy();
    else if (this.#isHeld) {
      this.#waiting.add(socket);
      socket.once('close', () => this.#waiting.delete(socket));
    } else this.#serve(socket);
  }

  #serve(socket: Socket): void {
    if (this.#handler === undefined) this.#join(socket);
    else {
      this.#handled.add(socket);
      socket.once('close', () => this.#handled.delete(socket));
      this.#handler(socket);
    }
  }

  #join(caller: Socket): void {
    const target = towards(this.#target, { allowHalfOpen: true, noDelay: true });
    const there = new ShapedStream(caller, target, this.#there);
    const back = new ShapedStream(target, caller, this.#back);
    const connection = {
      ...{ there, back },
      end() {
        caller.resetAndDestroy();
        target.destroy();
      },
    };
    this.#connections.add(connection);
    for (const [socket, from, to] of [
      [caller, there, back],
      [target, back, there],
    ] as const) {
      let isReset = false;
      socket.on('error', () => {
        isReset = true;
      });
      socket.once('close', () => {
        to.stop();
        from.close(isReset);
        if (caller.destroyed && target.destroyed) this.#connections.delete(connection);
      });
    }
  }

  #endAll(): void {
    for (const { end } of this.#connections) end();
    for (const socket of [...this.#waiting, ...this.#handled]) socket.resetAndDestroy();
    this.#waiting.clear();
  }
}
