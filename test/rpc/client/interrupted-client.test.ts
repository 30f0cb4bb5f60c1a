import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { httpGet } from '../../../src/rpc/client/http-rest.ts';

async function served(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Stops the process for a time (ms), as a busy machine does. */
const stand = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('a client gets its answer when the process is suspended for longer than the time limit', async () => {
  await using server = await served((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"done"}'));
  const client = httpClient({ url: server.url, timeoutMs: 2000 });
  const called = client.call('eth_chainId');
  const read = httpGet(server.url, { timeoutMs: 2000, maxBytes: 1000 });
  stand(2500);
  expect(await called).toBe('done');
  expect((await read).status).toBe(200);
  client.close();
});

it('a client fails at its time limit when there is no answer', async () => {
  await using server = await served(() => undefined);
  const client = httpClient({ url: server.url, timeoutMs: 80 });
  await expect(client.call('eth_chainId')).rejects.toThrow('no answer within 80 ms');
  await expect(httpGet(server.url, { timeoutMs: 80, maxBytes: 1000 })).rejects.toThrow('no answer within 80 ms');
  client.close();
});
