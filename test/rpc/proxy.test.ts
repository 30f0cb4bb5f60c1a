import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { freePort } from '../system/free-port.ts';

const RPC = resolve(import.meta.dirname, '..', '..', 'src', 'rpc');

const REQUESTS = {
  'a GET': `(await (await import('${join(RPC, 'client', 'http-rest.ts')}'))
    .httpGet(url, { timeoutMs: 0, maxBytes: 1000 })).text`,
  'a call over HTTP': `await (await import('${join(RPC, 'client', 'http-client.ts')}')).httpClient({ url }).call('m')`,
  'a call over WebSocket': `await (await import('${join(RPC, 'client', 'websocket-client.ts')}'))
    .webSocketClient({ url: url.replace('http', 'ws') }).call('m')`,
};

/** Serves JSON-RPC on loopback and returns its port. */
async function serve(): Promise<{ readonly port: number; close(): void }> {
  const answer = (request: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(request || '{}').id, result: 'direct' });
  const server = createServer(async (request, response) => response.end(answer(await text(request))));
  new WebSocketServer({ server }).on('connection', (socket) =>
    socket.on('message', (data) => socket.send(answer(data.toString()))),
  );
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { port, close: () => server.closeAllConnections() };
}

it.each(Object.entries(REQUESTS))('%s to loopback goes past the proxy of the environment', async (_, request) => {
  const { port } = await serve();
  const code = `const url = 'http://127.0.0.1:${port}'; console.log(${request}); process.exit();`;
  const proxy = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: '', no_proxy: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await text(child.stdout)).toContain('direct');
});
