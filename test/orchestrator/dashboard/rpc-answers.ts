import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A node that answers JSON-RPC requests, single ones and batches, by a function. */
export interface AnsweringNode {
  readonly url: string;
  close(): void;
}

/** Starts a node on loopback. */
export async function answeringNode(
  answer: (method: string, params: readonly unknown[]) => unknown,
): Promise<AnsweringNode> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
    const reply = (each: { id: number; method: string; params: readonly unknown[] }) => {
      return { jsonrpc: '2.0', id: each.id, result: answer(each.method, each.params) };
    };
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body)));
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
