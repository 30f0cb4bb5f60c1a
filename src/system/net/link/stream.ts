import type { Socket } from 'node:net';
import type { Line } from './line.ts';

/** Most bytes that a stream holds. Its source is paused beyond that, as a full TCP window does. */
const MOST_BYTES = 1024 * 1024;

/** How a stream ends: by a FIN, or with its source. */
type End = 'end' | 'close' | 'reset';

/** Bytes or an end on their way. */
interface Entry {
  readonly what: Buffer | End;
  at: number;
}

/** Carries the bytes of one socket to another, in their order, as its line is shaped. */
export class ShapedStream {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #line: Line;
  #queue: Entry[] = [];
  #bytes = 0;
  #last = 0;
  #isFull = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket, line: Line) {
    this.#from = from;
    this.#to = to;
    this.#line = line;
    from.on('data', (data: Buffer) => this.#take(data));
    from.once('end', () => this.#push('end'));
    to.on('drain', () => {
      this.#isFull = false;
      this.#pass();
    });
  }

  /** Number of bytes on their way. */
  get held(): number {
    return this.#bytes;
  }

  /** Its source is gone. The end arrives behind the bytes before it. */
  close(isReset: boolean): void {
    this.#push(isReset ? 'reset' : 'close');
  }

  /** Its destination is gone: no byte passes any more. */
  stop(): void {
    this.#isOver = true;
    this.#queue = [];
    this.#bytes = 0;
    clearTimeout(this.#timer);
    // A paused socket does not notice that its peer has closed.
    if (!this.#from.destroyed) this.#from.resume();
  }

  /** Applies another shape of its line to what is on its way. */
  reshape(): void {
    this.#last = 0;
    for (const entry of this.#queue) entry.at = this.#arrival(entry.what);
    this.#pass();
  }

  #take(data: Buffer): void {
    if (this.#isOver) return;
    if (this.#queue.length === 0 && this.#line.isClean && !this.#isFull) {
      this.#write(data);
      if (this.#isFull) this.#from.pause();
      return;
    }
    const { piece } = this.#line;
    for (let start = 0; start < data.length; start += piece) this.#push(data.subarray(start, start + piece));
  }

  #push(what: Buffer | End): void {
    if (this.#isOver) return;
    this.#queue.push({ what, at: this.#arrival(what) });
    if (typeof what !== 'string') this.#bytes += what.length;
    if (this.#bytes >= MOST_BYTES) this.#from.pause();
    this.#pass();
  }

  #arrival(what: Buffer | End): number {
    const bytes = typeof what === 'string' ? 0 : what.length;
    this.#last = Math.max(this.#last, this.#line.arrival(bytes)) + this.#line.stall(bytes);
    return this.#last;
  }

  /** Passes on what has arrived, and waits for the next. */
  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (;;) {
      const [next] = this.#queue;
      if (next === undefined || this.#isFull || this.#line.shape.isDropped || this.#isOver) break;
      const wait = next.at - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#pass(), wait);
        break;
      }
      this.#queue.shift();
      if (typeof next.what === 'string') this.#end(next.what);
      else {
        this.#bytes -= next.what.length;
        this.#write(next.what);
      }
    }
    if (!this.#isFull && this.#bytes < MOST_BYTES / 2 && this.#from.isPaused()) this.#from.resume();
  }

  #write(data: Buffer): void {
    if (!this.#to.write(data)) this.#isFull = true;
  }

  #end(how: End): void {
    if (how === 'end') this.#to.end();
    else if (how === 'close') this.#to.destroySoon();
    else this.#to.resetAndDestroy();
  }
}
