import { TokenBucket } from '../token-bucket.ts';

/** What happens to the bytes of one direction of a link. */
export interface Shape {
  readonly delayMs: number;
  /** Largest deviation from the delay (ms), either way. */
  readonly jitterMs: number;
  /** Share of lost segments, from 0 to below 1. */
  readonly loss: number;
  /** Bytes per second; undefined: unlimited. */
  readonly rate?: number | undefined;
  /** No byte passes, and connections stand. */
  readonly isDropped: boolean;
}

/** The shape of both directions of a link. */
export interface LinkShape {
  /** From the caller to the target. */
  readonly there: Shape;
  readonly back: Shape;
  /** No connection stands, and new ones are refused. */
  readonly isCut: boolean;
}

/** A direction that passes bytes on at once. */
export const CLEAN: Shape = { delayMs: 0, jitterMs: 0, loss: 0, isDropped: false };

/** A link without a fault. */
export const CLEAN_LINK: LinkShape = { there: CLEAN, back: CLEAN, isCut: false };

/** Bytes of a TCP segment on an Ethernet. */
const SEGMENT = 1460;

/** Smallest retransmission timeout (ms) of Linux. A round trip is added to it. */
const RETRANSMISSION_MS = 200;

/** Time (s) that one piece takes on a line of limited rate. */
const PIECE_SECONDS = 0.05;

/** One direction of a link. All its connections share its rate. */
export class Line {
  readonly #random: () => number;
  #shape = CLEAN;
  #bucket: TokenBucket | undefined;

  constructor(random: () => number) {
    this.#random = random;
  }

  get shape(): Shape {
    return this.#shape;
  }

  set shape(shape: Shape) {
    this.#bucket = shape.rate === undefined ? undefined : new TokenBucket(shape.rate, SEGMENT);
    this.#shape = shape;
  }

  /** Whether bytes pass at once. */
  get isClean(): boolean {
    const { delayMs, jitterMs, loss, rate, isDropped } = this.#shape;
    return delayMs === 0 && jitterMs === 0 && loss === 0 && rate === undefined && !isDropped;
  }

  /** Largest number of bytes that arrive at one moment. */
  get piece(): number {
    const { rate } = this.#shape;
    return rate === undefined ? Number.POSITIVE_INFINITY : Math.max(SEGMENT, Math.floor(rate * PIECE_SECONDS));
  }

  /** Whether a datagram of now is lost. */
  isLost(): boolean {
    return this.#random() < this.#shape.loss;
  }

  /** Returns the time (ms, monotonic) at which bytes that are sent now arrive, if nothing before them is late. */
  arrival(bytes: number): number {
    const { delayMs, jitterMs } = this.#shape;
    this.#bucket?.take(bytes);
    const deviation = jitterMs === 0 ? 0 : (this.#random() * 2 - 1) * jitterMs;
    return performance.now() + (this.#bucket?.delayMs() ?? 0) + Math.max(0, delayMs + deviation);
  }

  /** Returns the time (ms) for which lost segments hold up a stream: a retransmission timeout for each. */
  stall(bytes: number): number {
    const { loss, delayMs } = this.#shape;
    if (loss === 0) return 0;
    let losses = 0;
    // A retransmission may be lost as well.
    for (let segment = 0; segment < bytes; segment += SEGMENT) while (this.isLost()) losses++;
    return losses * (RETRANSMISSION_MS + 2 * delayMs);
  }
}
