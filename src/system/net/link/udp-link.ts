import type { Socket } from 'node:dgram';
import type { Place } from '../relay.ts';
import { relayUdp } from '../relay-udp.ts';
import { CLEAN_LINK, Line, type LinkShape } from './line.ts';

/** Most datagrams that wait at once. More of them are lost. */
const MOST_WAITING = 1024;

/** The UDP links of a network by the places before which they are. */
export class UdpLinks {
  readonly #byTarget = new Map<string, Socket>();

  /** Returns the socket of the link before a place; undefined: there is none. */
  socketOf({ host, port }: Place): Socket | undefined {
    return this.#byTarget.get(`${host}:${port}`);
  }

  add({ host, port }: Place, socket: Socket): void {
    this.#byTarget.set(`${host}:${port}`, socket);
    socket.once('close', () => this.#byTarget.delete(`${host}:${port}`));
  }
}

/**
 * A proxy before a UDP port, whose datagrams are shaped. One that is dropped is lost. A datagram of a process that has
 * a link itself comes from that link: discv5 compares the source with the address in a node's record.
 */
export class UdpLink {
  readonly #there: Line;
  readonly #back: Line;
  readonly #timers = new Set<NodeJS.Timeout>();
  #socket: Socket | undefined;
  #shape = CLEAN_LINK;
  #lost = 0;

  private constructor(random: () => number) {
    this.#there = new Line(random);
    this.#back = new Line(random);
  }

  /** Listens at a place and passes datagrams on to another. Rejects if it cannot listen. */
  static async open(at: Place, target: Place, random: () => number, links = new UdpLinks()): Promise<UdpLink> {
    const link = new UdpLink(random);
    link.#socket = await relayUdp(at, target, {
      there: (bytes, send) => link.#pass(link.#there, bytes, send),
      back: (bytes, send) => link.#pass(link.#back, bytes, send),
      knownBy: (source) => links.socketOf(source),
    });
    links.add(target, link.#socket);
    return link;
  }

  /** Number of lost datagrams. */
  get lost(): number {
    return this.#lost;
  }

  get shape(): LinkShape {
    return this.#shape;
  }

  set shape(shape: LinkShape) {
    this.#shape = shape;
    this.#there.shape = shape.there;
    this.#back.shape = shape.back;
  }

  /** Closes its port. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await new Promise<void>((done) => (this.#socket === undefined ? done() : this.#socket.close(() => done())));
  }

  #pass(line: Line, bytes: number, send: () => void): void {
    if (this.#shape.isCut || line.shape.isDropped || line.isLost()) {
      this.#lost++;
      return;
    }
    if (line.isClean) {
      send();
      return;
    }
    if (this.#timers.size >= MOST_WAITING) {
      this.#lost++;
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      send();
    }, line.arrival(bytes) - performance.now());
    this.#timers.add(timer);
  }
}
