import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RpcEngineClient } from '../../../../src/nodes/rollup/engine/client.ts';
import type { EngineError } from '../../../../src/nodes/rollup/engine/error.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { serve } from '../../../../src/rpc/server/server.ts';
import { scriptedRollup } from '../support/scripted.ts';

const SECRET = new Uint8Array(32).fill(7);
const STRANGER = new Uint8Array(32).fill(8);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Returns the error message for an engine that refuses its first call. */
async function complaint(url: string): Promise<EngineError> {
  const rpc = (url.startsWith('ws') ? webSocketClient : httpClient)({ url, jwtSecret: SECRET });
  const client = new RpcEngineClient({ rpc, rollup: scriptedRollup(), url, secretFile: '/our/jwt.hex' });
  closing.push(() => client.close());
  return client.chainId().then(
    () => expect.unreachable('the engine took the token'),
    (error: EngineError) => error,
  );
}

/** An engine that refuses every request with a reason, with its own clock or without one. */
async function refusing(reason: string, clock: Date | undefined): Promise<string> {
  const answer = (headers: Record<string, string>) => ({ 'content-type': 'text/plain', ...headers });
  const server: Server = createServer((_, response) => {
    response.sendDate = false;
    response.writeHead(401, answer(clock ? { date: clock.toUTCString() } : {})).end(`${reason}\n`);
  });
  server.on('upgrade', (_, socket) => {
    const date = clock ? `Date: ${clock.toUTCString()}\r\n` : '';
    const head = `HTTP/1.1 401 Unauthorized\r\n${date}Content-Length: ${reason.length}\r\nConnection: close`;
    socket.end(`${head}\r\n\r\n${reason}`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

describe.each(['http', 'ws'])('a token that the engine refuses, over %s', (scheme) => {
  it('is reported with the reason of our own execution client, both secret files and both clocks', async () => {
    const server = await serve({
      host: '127.0.0.1',
      port: 0,
      methods: {},
      context: {},
      http: true,
      websocket: true,
      jwtSecret: STRANGER,
    });
    closing.push(() => server.close());
    const { kind, message } = await complaint(`${scheme}://127.0.0.1:${server.port}`);
    expect(kind).toBe('unauthorized');
    expect(message).toContain('token signature is invalid: the two sides hold different JWT secrets');
    expect(message).toMatch(/compare .*\/our\/jwt\.hex \(--l2\.jwt-secret\).*--authrpc\.jwtsecret/);
    expect(message).toMatch(new RegExp(`our clock ${ISO.source}Z, its clock ${ISO.source}Z`));
  });

  it('is reported as stale with both clocks when they differ', async () => {
    const theirs = new Date(Date.now() - 300_000);
    const { kind, message } = await complaint(`${scheme}://${await refusing('stale token', theirs)}`);
    expect(kind).toBe('unauthorized');
    expect(message).toContain('stale token');
    expect(message).toContain(`its clock ${theirs.toISOString().slice(0, 19)}Z`);
    expect(message).toMatch(/synchronize the clocks .* tokens are valid for 60 s/);
    expect(message).not.toContain('/our/jwt.hex');
  });

  it('is reported with the reason alone when the engine states no clock', async () => {
    const { message } = await complaint(`${scheme}://${await refusing('missing token', undefined)}`);
    expect(message).toContain('missing token');
    expect(message).toMatch(new RegExp(`our clock ${ISO.source}Z, its clock is not stated`));
    expect(message).toContain('/our/jwt.hex');
  });
});
