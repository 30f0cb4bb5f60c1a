import { jsonField, jsonOf } from '../json-object.ts';
import { type CallOptions, type Outcome, type Request, type RpcClient, refusedBy, TransportError } from './client.ts';
import { type HttpAnswer, type HttpClientOptions, HttpExchange, StaleConnection } from './http-exchange.ts';
import { readOutcome } from './outcome.ts';
import { isIdempotent } from './reads.ts';

/** Statuses by which a gateway says that the server behind it gives no answer (RFC 9110, 15.6.3 and 15.6.5). */
const NO_ANSWER_STATUSES: ReadonlySet<number> = new Set([502, 504]);

/** Creates a JSON-RPC client over HTTP with persistent connections. */
export function httpClient(options: HttpClientOptions): RpcClient {
  const exchange = new HttpExchange(options);
  let nextId = 1;

  async function post(body: unknown, methods: readonly string[], call: CallOptions): Promise<unknown> {
    const text = JSON.stringify(body);
    let answer: HttpAnswer | undefined;
    // The server may have closed the connection before the request reached it, or after it was executed.
    // Each such failure takes one connection out of the pool, and a new connection never counts as stale.
    while (answer === undefined)
      answer = await exchange.send(text, call).catch((error: unknown) => {
        if (error instanceof StaleConnection && methods.every(isIdempotent)) return undefined;
        throw error;
      });
    const json = jsonOf(answer.text);
    if (json !== undefined && !NO_ANSWER_STATUSES.has(answer.status)) return json;
    const words = jsonField(jsonField(json, 'error'), 'message');
    throw refusedBy(options.url, { ...answer, words: typeof words === 'string' ? words : answer.text });
  }

  return {
    async call<Result>(method: string, params: readonly unknown[] = [], call: CallOptions = {}) {
      const outcome = readOutcome<Result>(
        options.url,
        await post({ jsonrpc: '2.0', id: nextId++, method, params }, [method], call),
      );
      if (!outcome.ok) throw outcome.error;
      return outcome.result;
    },
    async batch<Result>(requests: readonly Request[], call: CallOptions = {}): Promise<readonly Outcome<Result>[]> {
      if (requests.length === 0) return [];
      const first = nextId;
      nextId += requests.length;
      const answer = await post(
        requests.map(({ method, params = [] }, index) => ({ jsonrpc: '2.0', id: first + index, method, params })),
        requests.map(({ method }) => method),
        call,
      );
      if (!Array.isArray(answer)) {
        const single = readOutcome<Result>(options.url, answer);
        throw single.ok ? new TransportError(options.url, 'expected an array of answers') : single.error;
      }
      const byId = new Map(answer.map((item) => [jsonField(item, 'id'), item]));
      return requests.map((_, index) => readOutcome<Result>(options.url, byId.get(first + index)));
    },
    close: () => exchange.close(),
  };
}
