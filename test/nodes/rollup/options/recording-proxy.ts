import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { RpcError } from '../../../../src/rpc/error.ts';
import { patientClient } from '../../../rpc/patient-client.ts';

/** A recorded request. */
export interface RecordedRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds on the test's own clock. */
  readonly at: number;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A JSON-RPC proxy that records requests. */
export class RecordingProxy implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  /** GET requests, which are never answered. */
  gets = 0;
  /** Requests in the largest message, and the largest number of unanswered messages. */
  largest = 0;
  mostUnderWay = 0;
  /** Answers a request instead of the target; `pass` calls the target. */
  answer: (method: string, params: readonly unknown[], pass: () => Promise<unknown>) => unknown = (_, __, pass) =>
    pass();
  /** Latency of every answer, ms. */
  latency = 0;
  #underWay = 0;
  #isHeld = false;
  readonly #server: Server;
  readonly #behind: RpcClient;

  private constructor(behind: RpcClient) {
    this.#behind = behind;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Opens a proxy of a target. Forwarded requests carry tokens of the secret. */
  static async to(url: string, jwtSecret?: Uint8Array): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(patientClient({ url, ...(jwtSecret && { jwtSecret }) }));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Counts requests of a method with this text in their parameters. */
  count(method: string, words = ''): number {
    return this.requests.filter((call) => call.method === method && JSON.stringify(call.params).includes(words)).length;
  }

  /** Stops answering. */
  hold(): this {
    this.#isHeld = true;
    return this;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return void this.gets++;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Call | Call[];
    const calls = Array.isArray(body) ? body : [body];
    for (const { method, params } of calls)
      this.requests.push({ method, params, headers: request.headers, at: performance.now() });
    this.largest = Math.max(this.largest, calls.length);
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.#underWay);
    if (this.#isHeld) return;
    if (this.latency > 0) await new Promise((go) => setTimeout(go, this.latency));
    const answers = await Promise.all(calls.map((call) => this.#answer(call)));
    this.#underWay--;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  }

  async #answer({ id, method, params }: Call): Promise<object> {
    try {
      const result = await this.answer(method, params, () => this.#behind.call(method, params));
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      const { code, message } = error instanceof RpcError ? error : { code: -32000, message: String(error) };
      return { jsonrpc: '2.0', id, error: { code, message } };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#behind.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
