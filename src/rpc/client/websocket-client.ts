import { type CallOptions, type Request, type RpcClient, TransportError } from './client.ts';
import { type WebSocketClientOptions, WebSocketConnection } from './websocket-connection.ts';

/**
 * A JSON-RPC client over WebSockets: one for calls, one for subscriptions. The first call opens each, and the next call
 * after a break opens it again. A server with Nagle's algorithm (anvil) sends a notification that follows an answer on
 * the same connection only after its acknowledgement, which the system delays by 40 ms.
 */
export interface WebSocketRpcClient extends RpcClient {
  /**
   * Subscribes as `eth_subscribe` does. `onItem` receives each notification. `onEnd` is called once, when the
   * connection closes.
   */
  subscribe(
    params: readonly unknown[],
    onItem: (item: unknown) => void,
    onEnd: (error: Error) => void,
  ): Promise<string>;
}

type Purpose = 'calls' | 'subscriptions';

export function webSocketClient(options: WebSocketClientOptions): WebSocketRpcClient {
  const connections = new Map<Purpose, Promise<WebSocketConnection>>();
  let isClosed = false;

  async function connect(purpose: Purpose): Promise<WebSocketConnection> {
    const connection = await WebSocketConnection.open(options, () => connections.delete(purpose));
    if (isClosed) connection.terminate();
    return connection;
  }

  /** Returns the open connection of a purpose, or opens one. */
  function connectionFor(purpose: Purpose): Promise<WebSocketConnection> {
    if (isClosed) return Promise.reject(new TransportError(options.url, 'the client is closed'));
    const connection =
      connections.get(purpose) ??
      connect(purpose).catch((error) => {
        connections.delete(purpose);
        throw error;
      });
    connections.set(purpose, connection);
    return connection;
  }

  return {
    call: async <Result>(method: string, params: readonly unknown[] = [], call: CallOptions = {}) =>
      (await connectionFor(purposeOf(method))).call<Result>(method, params, call),
    batch: async <Result>(requests: readonly Request[], call: CallOptions = {}) =>
      requests.length === 0 ? [] : (await connectionFor('calls')).send<Result>(requests, true, call),
    subscribe: async (params, onItem, onEnd) =>
      (await connectionFor('subscriptions')).subscribe(params, { onItem, onEnd: onEnd }),
    close() {
      isClosed = true;
      for (const connection of connections.values()) void connection.then((each) => each.terminate()).catch(() => {});
    },
  };
}

/** Returns the connection of a method: a server knows a subscription on its own connection alone. */
function purposeOf(method: string): Purpose {
  return /_(un)?subscribe$/.test(method) ? 'subscriptions' : 'calls';
}
