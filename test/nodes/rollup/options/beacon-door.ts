import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A beacon API that passes requests to another and remembers them; what `lacks` matches is not found. */
export class BeaconDoor implements AsyncDisposable {
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  readonly #server: Server;

  private constructor(behind: string, lacks: RegExp | undefined) {
    this.#server = createServer(async (request, response) => {
      const path = request.url as string;
      this.asked.push({ path, headers: request.headers });
      if (lacks?.test(path)) return response.writeHead(404).end('{}');
      const answer = await fetch(behind.endsWith('?') ? behind : new URL(path, behind)).catch(() => undefined);
      // Who is behind may end first.
      if (!answer) return response.destroy();
      return response.writeHead(answer.status).end(await answer.text());
    });
  }

  static async to(behind: string, lacks?: RegExp): Promise<BeaconDoor> {
    const door = new BeaconDoor(behind, lacks);
    await new Promise<void>((resolve) => door.#server.listen(0, '127.0.0.1', resolve));
    return door;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Paths that were asked for and match. */
  paths(pattern: RegExp): string[] {
    return this.asked.map(({ path }) => path).filter((path) => pattern.test(path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
