/** Lets all promises that can settle do so. */
export async function drain(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A stream whose remote end is the test. */
export class TestStream {
  readonly sent: Uint8Array[] = [];
  readonly events: string[] = [];
  isFull = false;
  #incoming: Uint8Array[] = [];
  #isEnded = false;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;
  readonly #onSend: (stream: TestStream, data: Uint8Array) => void;

  constructor(onSend: (stream: TestStream, data: Uint8Array) => void = () => undefined) {
    this.#onSend = onSend;
  }

  /** Passes bytes of the remote end, or its end. */
  receive(data: Uint8Array | 'end' | Error): void {
    if (data instanceof Error) this.#failure = data;
    else if (data === 'end') this.#isEnded = true;
    else this.#incoming.push(data);
    this.#wake();
  }

  send(data: Uint8Array): boolean {
    this.sent.push(data);
    this.#onSend(this, data);
    return !this.isFull;
  }
  async onDrain({ signal }: { signal: AbortSignal }): Promise<void> {
    this.events.push(`drain ${signal.aborted}`);
  }
  async close({ signal }: { signal: AbortSignal }): Promise<void> {
    this.events.push(`close ${signal.aborted}`);
  }
  abort(error: Error): void {
    this.events.push(`abort ${error.message}`);
    this.receive(error);
  }
  async *[Symbol.asyncIterator]() {
    for (;;) {
      const part = this.#incoming.shift();
      if (part !== undefined) yield { subarray: () => part };
      else if (this.#failure !== undefined) throw this.#failure;
      else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
