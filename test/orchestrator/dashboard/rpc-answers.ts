import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A node that answers JSON-RPC requests, single ones and batches, by a function. */
export interface AnsweringNode {
  readonly url: string;
  close(): void;
}

/** Starts a node on loopback. What the function throws is answered as an error. */
export async function answeringNode(
  answer: (method: string, params: readonly unknown[]) => unknown,
): Promise<AnsweringNode> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
    const reply = async (each: { id: number; method: string; params: readonly unknown[] }) => {
      try {
        return { jsonrpc: '2.0', id: each.id, result: await answer(each.method, each.params) };
      } catch (error) {
        return { jsonrpc: '2.0', id: each.id, error: { code: -32_000, message: String(error) } };
      }
    };
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(await (Array.isArray(body) ? Promise.all(body.map(reply)) : reply(body))));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
