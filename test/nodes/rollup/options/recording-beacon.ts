import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy of a beacon API that records requests. Paths that match `lacks` are not found. */
export class RecordingBeacon implements AsyncDisposable {
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  readonly #server: Server;

  private constructor(behind: string, lacks: RegExp | undefined) {
    this.#server = createServer(async (request, response) => {
      const path = request.url as string;
      this.requests.push({ path, headers: request.headers });
      if (lacks?.test(path)) return response.writeHead(404).end('{}');
      const answer = await fetch(behind.endsWith('?') ? behind : new URL(path, behind)).catch(() => undefined);
      // The target may end first.
      if (!answer) return response.destroy();
      return response.writeHead(answer.status).end(await answer.text());
    });
  }

  static async to(behind: string, lacks?: RegExp): Promise<RecordingBeacon> {
    const proxy = new RecordingBeacon(behind, lacks);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the requested paths that match. */
  paths(pattern: RegExp): string[] {
    return this.requests.map(({ path }) => path).filter((path) => pattern.test(path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
