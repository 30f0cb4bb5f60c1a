import { WebSocket } from 'ws';
import { timeLimit } from '../../system/time/time-limit.ts';
import { jsonField } from '../json-object.ts';
import { jwtBearer } from '../jwt.ts';
import { type CallOptions, type Outcome, type Request, type RpcClient, refusedBy, TransportError } from './client.ts';
import { readOutcome } from './outcome.ts';

export interface WebSocketClientOptions {
  readonly url: string;
  readonly jwtSecret?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Called when an open connection ends. */
  readonly ended?: (error: TransportError) => void;
}

/**
 * A JSON-RPC client over WebSockets: one for calls, one for subscriptions. The first call opens each, and the next call
 * after a break opens it again. A server with Nagle's algorithm (anvil) sends a notification that follows an answer on
 * the same connection only after its acknowledgement, which the system delays by 40 ms.
 */
export interface WebSocketRpcClient extends RpcClient {
  /**
   * Subscribes as `eth_subscribe` does. `onItem` receives each notification. `ended` is called once, when the
   * connection closes.
   */
  subscribe(
    params: readonly unknown[],
    onItem: (item: unknown) => void,
    ended: (error: Error) => void,
  ): Promise<string>;
}

/** Notifications kept until their subscription is acknowledged. */
const MAX_EARLY = 1000;
/** Characters read of an answer that refuses the connection. */
const MAX_REASON = 200;

interface Connection {
  /** Notifications received before the acknowledgement of their subscription. */
  readonly early: { id: string; item: unknown }[];
  readonly socket: WebSocket;
  readonly pending: Map<number, (answer: unknown) => void>;
  readonly subscriptions: Map<string, { onItem: (item: unknown) => void; ended: (error: Error) => void }>;
}

type Purpose = 'calls' | 'subscriptions';

export function webSocketClient(options: WebSocketClientOptions): WebSocketRpcClient {
  let nextId = 1;
  const current = new Map<Purpose, Promise<Connection>>();
  let isClosed = false;

  async function connect(purpose: Purpose): Promise<Connection> {
    const headers: Record<string, string> = { ...options.headers };
    if (options.jwtSecret) headers['authorization'] = jwtBearer(options.jwtSecret)();
    const socket = new WebSocket(options.url, {
      headers,
      perMessageDeflate: false,
      allowSynchronousEvents: false,
      maxPayload: 256 * 1024 * 1024,
      handshakeTimeout: options.timeoutMs ?? 10_000,
    });
    const connection: Connection = { socket, pending: new Map(), subscriptions: new Map(), early: [] };
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', (cause) => reject(new TransportError(options.url, cause.message, { cause })));
      socket.once('unexpected-response', (request, response) => {
        const status = response.statusCode ?? 0;
        const tell = (words: string) => {
          reject(refusedBy(options.url, { status, date: response.headers.date, words }));
          request.destroy();
        };
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          if (text.length >= MAX_REASON) tell(text);
        });
        response.once('close', () => tell(text || (response.statusMessage ?? '')));
      });
    });
    socket.on('message', (data: Buffer) => receive(connection, data.toString('utf8')));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      current.delete(purpose);
      const error = new TransportError(options.url, 'the connection closed');
      for (const settle of connection.pending.values()) settle(error);
      connection.pending.clear();
      for (const { ended } of connection.subscriptions.values()) ended(error);
      connection.subscriptions.clear();
      options.ended?.(error);
    });
    if (isClosed) socket.terminate();
    return connection;
  }

  function receive(connection: Connection, text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      connection.socket.terminate();
      return;
    }
    for (const item of Array.isArray(message) ? message : [message]) {
      const id = jsonField(item, 'id');
      const params = jsonField(item, 'params');
      const name = jsonField(params, 'subscription');
      if (typeof id === 'number') {
        connection.pending.get(id)?.(item);
        connection.pending.delete(id);
      } else if (typeof name === 'string') {
        const result = jsonField(params, 'result');
        const subscription = connection.subscriptions.get(name);
        if (subscription) subscription.onItem(result);
        else if (connection.early.length < MAX_EARLY) connection.early.push({ id: name, item: result });
      }
    }
  }

  function connection(purpose: Purpose): Promise<Connection> {
    if (isClosed) return Promise.reject(new TransportError(options.url, 'the client is closed'));
    const open =
      current.get(purpose) ??
      connect(purpose).catch((error) => {
        current.delete(purpose);
        throw error;
      });
    current.set(purpose, open);
    return open;
  }

  async function send<Result>(
    { socket, pending }: Connection,
    requests: readonly Request[],
    isBatch: boolean,
    call: CallOptions,
  ): Promise<readonly Outcome<Result>[]> {
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? 10_000;
    const body = requests.map(({ method, params = [] }) => ({ jsonrpc: '2.0', id: nextId++, method, params }));
    const answers = body.map(
      ({ id }) =>
        new Promise<Outcome<Result>>((resolve) => {
          const settle = (answer: unknown) => {
            stopLimit();
            call.signal?.removeEventListener('abort', aborted);
            pending.delete(id);
            resolve(answer instanceof Error ? { ok: false, error: answer } : readOutcome<Result>(options.url, answer));
          };
          const stopLimit = timeLimit(timeoutMs, () =>
            settle(new TransportError(options.url, `no answer within ${timeoutMs} ms`)),
          );
          const aborted = () => settle(new TransportError(options.url, 'aborted'));
          call.signal?.addEventListener('abort', aborted, { once: true });
          pending.set(id, settle);
        }),
    );
    socket.send(JSON.stringify(isBatch ? body : body[0]));
    return Promise.all(answers);
  }

  async function callOn<Result>(
    connection: Connection,
    method: string,
    params: readonly unknown[],
    options: CallOptions = {},
  ): Promise<Result> {
    const [outcome] = await send<Result>(connection, [{ method, params }], false, options);
    if (!outcome?.ok) throw outcome?.error ?? new Error('no answer');
    return outcome.result;
  }

  return {
    call: async <Result>(method: string, params: readonly unknown[] = [], call: CallOptions = {}) =>
      callOn<Result>(await connection(purposeOf(method)), method, params, call),
    batch: async <Result>(requests: readonly Request[], call: CallOptions = {}) =>
      requests.length === 0 ? [] : send<Result>(await connection('calls'), requests, true, call),
    async subscribe(params, onItem, ended) {
      const own = await connection('subscriptions');
      const { subscriptions, early } = own;
      const id = await callOn<string>(own, 'eth_subscribe', params);
      subscriptions.set(id, { onItem, ended });
      const waiting = early.splice(0);
      for (const entry of waiting) {
        if (entry.id === id) onItem(entry.item);
        else early.push(entry);
      }
      return id;
    },
    close() {
      isClosed = true;
      for (const open of current.values()) void open.then(({ socket }) => socket.terminate()).catch(() => {});
    },
  };
}

/** Returns the connection of a method: a server knows a subscription on its own connection alone. */
function purposeOf(method: string): Purpose {
  return /_(un)?subscribe$/.test(method) ? 'subscriptions' : 'calls';
}
