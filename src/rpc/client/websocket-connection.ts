import { WebSocket } from 'ws';
import { timeLimit } from '../../system/time/time-limit.ts';
import { jsonField } from '../json-object.ts';
import { jwtBearer } from '../jwt.ts';
import { type CallOptions, type Outcome, type Request, refusedBy, TransportError } from './client.ts';
import { readOutcome } from './outcome.ts';

export interface WebSocketClientOptions {
  readonly url: string;
  readonly jwtSecret?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Called when an open connection ends. */
  readonly onEnd?: (error: TransportError) => void;
}

/** Maximum notifications that wait until their subscription is acknowledged. */
const MAX_EARLY_NOTIFICATIONS = 1000;
/** Characters read of an answer that refuses the connection. */
const MAX_REASON_CHARACTERS = 200;

interface Subscription {
  readonly onItem: (item: unknown) => void;
  readonly onEnd: (error: Error) => void;
}

/** One open connection with its calls under way and its subscriptions. */
export class WebSocketConnection {
  readonly #options: WebSocketClientOptions;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, (answer: unknown) => void>();
  readonly #subscriptions = new Map<string, Subscription>();
  /** Notifications received before the acknowledgement of their subscription. */
  readonly #early: { readonly id: string; readonly item: unknown }[] = [];
  #nextId = 1;

  private constructor(options: WebSocketClientOptions, socket: WebSocket, onClose: () => void) {
    this.#options = options;
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(data.toString('utf8')));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      onClose();
      this.#end(new TransportError(options.url, 'the connection closed'));
    });
  }

  /** Connects. `onClose` is called when the open connection closes, before its calls and subscriptions end. */
  static async open(options: WebSocketClientOptions, onClose: () => void): Promise<WebSocketConnection> {
    const headers: Record<string, string> = { ...options.headers };
    if (options.jwtSecret) headers['authorization'] = jwtBearer(options.jwtSecret)();
    const socket = new WebSocket(options.url, {
      headers,
      perMessageDeflate: false,
      allowSynchronousEvents: false,
      maxPayload: 256 * 1024 * 1024,
      handshakeTimeout: options.timeoutMs ?? 10_000,
    });
    await untilOpen(socket, options.url);
    return new WebSocketConnection(options, socket, onClose);
  }

  async call<Result>(method: string, params: readonly unknown[], call: CallOptions = {}): Promise<Result> {
    const [outcome] = await this.send<Result>([{ method, params }], false, call);
    if (!outcome?.ok) throw outcome?.error ?? new Error('no answer');
    return outcome.result;
  }

  /** Sends calls in one message. Returns a result or error for each, in order. */
  async send<Result>(
    requests: readonly Request[],
    isBatch: boolean,
    call: CallOptions,
  ): Promise<readonly Outcome<Result>[]> {
    const body = requests.map(({ method, params = [] }) => ({ jsonrpc: '2.0', id: this.#nextId++, method, params }));
    const answers = body.map(({ id }) => this.#answerTo<Result>(id, call));
    this.#socket.send(JSON.stringify(isBatch ? body : body[0]));
    return Promise.all(answers);
  }

  /** Subscribes as `eth_subscribe` does. Returns the id of the subscription. */
  async subscribe(params: readonly unknown[], subscription: Subscription): Promise<string> {
    const id = await this.call<string>('eth_subscribe', params);
    this.#subscriptions.set(id, subscription);
    const waiting = this.#early.splice(0);
    for (const entry of waiting) {
      if (entry.id === id) subscription.onItem(entry.item);
      else this.#early.push(entry);
    }
    return id;
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Resolves with the outcome of a call, also if it is late, aborted, or the connection closes. */
  #answerTo<Result>(id: number, { timeoutMs = this.#options.timeoutMs ?? 10_000, signal }: CallOptions) {
    const { url } = this.#options;
    return new Promise<Outcome<Result>>((resolve) => {
      const settle = (answer: unknown) => {
        stopLimit();
        signal?.removeEventListener('abort', aborted);
        this.#pending.delete(id);
        resolve(answer instanceof Error ? { ok: false, error: answer } : readOutcome<Result>(url, answer));
      };
      const stopLimit = timeLimit(timeoutMs, () => settle(new TransportError(url, `no answer within ${timeoutMs} ms`)));
      const aborted = () => settle(new TransportError(url, 'aborted'));
      signal?.addEventListener('abort', aborted, { once: true });
      this.#pending.set(id, settle);
    });
  }

  #receive(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#socket.terminate();
      return;
    }
    for (const item of Array.isArray(message) ? message : [message]) {
      const id = jsonField(item, 'id');
      const params = jsonField(item, 'params');
      const name = jsonField(params, 'subscription');
      if (typeof id === 'number') this.#pending.get(id)?.(item);
      else if (typeof name === 'string') {
        const result = jsonField(params, 'result');
        const subscription = this.#subscriptions.get(name);
        if (subscription) subscription.onItem(result);
        else if (this.#early.length < MAX_EARLY_NOTIFICATIONS) this.#early.push({ id: name, item: result });
      }
    }
  }

  #end(error: TransportError): void {
    for (const settle of this.#pending.values()) settle(error);
    for (const { onEnd } of this.#subscriptions.values()) onEnd(error);
    this.#options.onEnd?.(error);
  }
}

/** Resolves when a socket is open. @throws TransportError with the reason of a refusal */
function untilOpen(socket: WebSocket, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', (cause) => reject(new TransportError(url, cause.message, { cause })));
    socket.once('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 0;
      const tell = (words: string) => {
        reject(refusedBy(url, { status, date: response.headers.date, words }));
        request.destroy();
      };
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length >= MAX_REASON_CHARACTERS) tell(text);
      });
      response.once('close', () => tell(text || (response.statusMessage ?? '')));
    });
  });
}
