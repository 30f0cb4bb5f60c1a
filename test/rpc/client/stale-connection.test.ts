import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { httpClient } from '../../../src/rpc/client/http-client.ts';

/** A server that answers the first request of each connection and closes the connection at the second one. */
async function closing() {
  const methods: string[] = [];
  const served = new WeakSet<object>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const requests: { id: number; method: string }[] = [JSON.parse(body)].flat();
    methods.push(requests.map(({ method }) => method).join(' '));
    if (served.has(request.socket)) return void request.socket.resetAndDestroy();
    served.add(request.socket);
    const answers = requests.map(({ id }) => ({ jsonrpc: '2.0', id, result: 'done' }));
    response.end(JSON.stringify(body.startsWith('[') ? answers : answers[0]));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const client = httpClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return {
    client,
    methods,
    async [Symbol.asyncDispose]() {
      client.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

describe('a connection that the server closes between requests', () => {
  it.each([
    'eth_getBlockByNumber',
    'eth_chainId',
    'optimism_syncStatus',
    'engine_newPayloadV4',
    'opsigner_signBlockPayloadV2',
  ])('sends %s again on a new connection', async (method) => {
    await using server = await closing();
    expect(await server.client.call(method)).toBe('done');
    expect(await server.client.call(method)).toBe('done');
    expect(server.methods).toEqual([method, method, method]);
  });

  it('sends a read or a batch of reads again when all kept connections are closed', async () => {
    await using server = await closing();
    await Promise.all(Array.from({ length: 3 }, () => server.client.call('eth_chainId')));
    const outcomes = await server.client.batch([{ method: 'eth_chainId' }, { method: 'eth_blockNumber' }]);
    expect(outcomes).toEqual([
      { ok: true, result: 'done' },
      { ok: true, result: 'done' },
    ]);
  });

  it.each(['eth_sendRawTransaction', 'evm_mine', 'admin_startSequencer', 'eth_getFilterChanges'])(
    'does not send %s again, which may have been executed',
    async (method) => {
      await using server = await closing();
      await server.client.call('eth_chainId');
      await expect(server.client.call(method)).rejects.toThrow(/ECONNRESET|socket hang up/);
      await server.client.call('eth_chainId');
      await expect(server.client.batch([{ method: 'eth_chainId' }, { method }])).rejects.toThrow(/ECONNRESET|hang up/);
      expect(server.methods).toEqual(['eth_chainId', method, 'eth_chainId', `eth_chainId ${method}`]);
    },
  );

  it('does not send a read again when the client itself is closed', async () => {
    const held = Promise.withResolvers<void>();
    let asked = 0;
    const server = createServer((_, response) => {
      if (++asked === 1) return void response.end('{"jsonrpc":"2.0","id":1,"result":"done"}');
      held.resolve();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const client = httpClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, timeoutMs: 2000 });
    await client.call('eth_chainId');
    const call = expect(client.call('eth_chainId')).rejects.toThrow('socket hang up');
    await held.promise;
    client.close();
    await call;
    expect(asked).toBe(2);
    server.closeAllConnections();
    server.close();
  });

  it('does not send a read again when a part of its answer has come', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      if (++asked === 1) return void response.end('{"jsonrpc":"2.0","id":1,"result":"done"}');
      response.writeHead(200, { 'content-length': '100' }).write('{');
      response.write('"', () => response.socket?.resetAndDestroy());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const client = httpClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    expect(await client.call('eth_chainId')).toBe('done');
    await expect(client.call('eth_chainId')).rejects.toThrow(/ECONNRESET|aborted/);
    expect(asked).toBe(2);
    client.close();
    server.close();
  });

  it('sends a read again also when the connection is reset after its end, before the client notices', async () => {
    const steps = new Int32Array(new SharedArrayBuffer(4));
    await using server = new Worker(CLOSING_SERVER, { eval: true, workerData: steps });
    const [port] = await once(server, 'message');
    const client = httpClient({ url: `http://127.0.0.1:${port}` });
    expect(await client.call('eth_chainId')).toBe('connection 1');
    // The event loop of the client stands meanwhile.
    server.postMessage('close');
    Atomics.wait(steps, 0, 0);
    expect(await client.call('eth_chainId')).toBe('connection 2');
    client.close();
  });
});

/** A server that ends and then resets its first connection when it is told to. */
const CLOSING_SERVER = `
  const { parentPort, workerData: steps } = require('node:worker_threads');
  const sockets = [];
  const server = require('node:net').createServer((socket) => {
    const body = JSON.stringify({ id: sockets.length + 1, result: 'connection ' + sockets.push(socket) });
    socket.on('error', () => {});
    const head = 'HTTP/1.1 200 OK\\r\\nContent-Length: ' + body.length;
    socket.on('data', () => socket.write(head + '\\r\\n\\r\\n' + body));
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  parentPort.on('message', () => {
    sockets[0].on('finish', () => {
      sockets[0].resetAndDestroy();
      Atomics.store(steps, 0, 1);
      Atomics.notify(steps, 0);
    });
    sockets[0].end();
  });
`;
