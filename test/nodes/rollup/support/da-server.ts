import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A DA server in memory for keccak commitments (specification: alt-da, DA Server). The client computes the commitment.
 */
export interface DaServer extends AsyncDisposable {
  readonly url: string;
  /** By encoded commitment. */
  readonly stored: Map<string, Uint8Array>;
}

export async function startDaServer(): Promise<DaServer> {
  const stored = new Map<string, Uint8Array>();
  const server = createServer((request, response) => {
    const [, verb, commitment = ''] = (request.url ?? '').split('/');
    if (verb === 'get') {
      const data = stored.get(commitment);
      response.writeHead(data ? 200 : 404).end(data);
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      stored.set(commitment, Buffer.concat(parts));
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
