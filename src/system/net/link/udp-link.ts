import type { Socket } from 'node:dgram';
import type { Place } from '../relay.ts';
import { relayUdp } from '../relay-udp.ts';
import { CLEAN_LINK, Line, type LinkShape } from './line.ts';

/** Most datagrams that wait at once. More of them are lost. */
const MOST_WAITING = 1024;

/** A proxy before a UDP port, whose datagrams are shaped. One that is dropped is lost. */
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
  static async open(at: Place, target: Place, random: () => number): Promise<UdpLink> {
    const link = new UdpLink(random);
    link.#socket = await relayUdp(
      at,
      target,
      (bytes, send) => link.#pass(link.#there, bytes, send),
      (bytes, send) => link.#pass(link.#back, bytes, send),
    );
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
