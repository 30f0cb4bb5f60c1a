import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { type Call, method } from '../../../src/rpc/method.ts';
import { STANDARD_ENVELOPE } from '../../../src/rpc/server/envelope.ts';
import { JsonText } from '../../../src/rpc/server/json-text.ts';
import { type SocketOptions, serveSocket } from '../../../src/rpc/server/websocket.ts';

/** Serves a connection whose unread bytes the test sets. */
async function serving(options: Partial<SocketOptions<object>> = {}) {
  const sent: (readonly [text: string, options: object])[] = [];
  const socket = Object.assign(new EventEmitter(), {
    ...{ OPEN: 1, readyState: 1, bufferedAmount: 0, terminations: 0 },
    send: (data: string | Buffer, how: object) => void sent.push([String(data), how]),
    terminate: () => void socket.terminations++,
  });
  const calls: Call[] = [];
  const methods = {
    test_call: method('keeps its call', z.tuple([]), (_, __, call) => void calls.push(call)),
    test_parts: method('returns bytes', z.tuple([]), () => new JsonText([Buffer.from('"ü"')])),
  };
  serveSocket({ methods, context: {}, ...options }, socket as unknown as WebSocket, '127.0.0.1');
  const ask = async (name: string) => {
    const count = sent.length;
    socket.emit('message', Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"${name}"}`));
    await expect.poll(() => sent.length).toBe(count + 1);
    return sent.at(-1);
  };
  await ask('test_call');
  sent.length = 0;
  return { socket, sent, ask, notify: () => calls[0]!.notify!('test', {}) };
}

describe('a WebSocket connection', () => {
  it.each<[number, Partial<SocketOptions<object>>]>([
    [100, { maxUnread: 100 }],
    [64 * 1024 * 1024, {}],
  ])('sends as long as %i bytes are unread, and ends above', async (limit, options) => {
    const { socket, sent, notify } = await serving(options);
    socket.bufferedAmount = limit;
    expect([notify(), sent.length, socket.terminations]).toEqual([true, 1, 0]);
    socket.bufferedAmount = limit + 1;
    expect([notify(), sent.length, socket.terminations]).toEqual([false, 1, 1]);
  });

  it('sends bytes as text', async () => {
    const { ask } = await serving();
    expect(await ask('test_parts')).toEqual(['{"jsonrpc":"2.0","id":1,"result":"ü"}', { binary: false }]);
  });

  it('ends when its socket fails', async () => {
    const { socket } = await serving();
    socket.emit('error', new Error('reset'));
    expect(socket.terminations).toBe(1);
  });

  it.each([undefined, STANDARD_ENVELOPE])(
    'answers a long message when its envelope has no error for it',
    async (envelope) => {
      const { ask } = await serving({ maxMessage: 1, ...(envelope && { envelope }) });
      expect((await ask('test_call'))![0]).toBe('{"jsonrpc":"2.0","id":1,"result":null}');
    },
  );
});
