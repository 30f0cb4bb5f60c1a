import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openRelay } from '../../../src/rpc/gateway/relay.ts';
import { upstream } from '../../../src/rpc/gateway/upstream.ts';
import { end, openListener } from '../../../src/rpc/server/listener.ts';
import { upgrade } from '../raw.ts';

const MEGABYTE = 1024 * 1024;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

/** A relay to a target (its port, or a socket to it), and the sockets of both sides. */
async function relaying(target: number | WebSocket, waiting?: () => Promise<void> | undefined) {
  const behind = upstream(`http://127.0.0.1:${typeof target === 'number' ? target : 1}`, 'L1', () => false);
  const near: WebSocket[] = [];
  const far: WebSocket[] = [];
  const keeping = {
    ...behind,
    connect(request: IncomingMessage) {
      const socket = typeof target === 'number' ? behind.connect(request) : target;
      far.push(socket);
      return socket;
    },
  };
  const methods = { own_it: () => 'own', own_late: () => undefined };
  const relay = openRelay(keeping, { methods, ...(waiting && { waiting }) });
  const server = await openListener(
    { host: '127.0.0.1', port: 0 },
    {
      request: async (_, response) => end(response, 404),
      upgrade: {
        maxPayload: 64 * MEGABYTE,
        open: (request, accept, refuse) =>
          relay(
            request,
            (opened) =>
              accept((socket) => {
                near.push(socket);
                opened(socket);
              }),
            refuse,
          ),
      },
    },
  );
  open.push(server, behind);
  return { port: server.port, near, far };
}

/** A target of WebSockets, and its connections. */
async function target() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const sockets: WebSocket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  open.push({
    close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** A target that accepts connections, and answers no handshake. */
async function mute() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.resume())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

async function dial(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  open.push({ close: () => socket.terminate() });
  await once(socket, 'open');
  return socket;
}

/** Asks for a WebSocket without waiting for an answer, and does not end its side when the other side ends. */
function ask(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(
    'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  );
  open.push({ close: () => socket.destroy() });
  return socket;
}

describe('a relayed WebSocket', () => {
  it('opens at the target once the waiting ends', async () => {
    const { port: behind, sockets } = await target();
    const released = Promise.withResolvers<void>();
    const { port, far } = await relaying(behind, () => released.promise);
    const dialled = dial(port);
    const other = await dial((await relaying(behind)).port);
    expect([far.length, sockets.length]).toEqual([0, 1]);
    released.resolve();
    await dialled;
    expect([far.length, sockets.length]).toEqual([1, 2]);
    other.terminate();
  });

  it('is not opened at the target when its caller leaves during the waiting', async () => {
    const { port: behind } = await target();
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { port, far } = await relaying(behind, () => {
      begun.resolve();
      return released.promise;
    });
    const caller = ask(port);
    await begun.promise;
    caller.resetAndDestroy();
    await once(caller, 'close');
    // A further request shows that the listener has noticed.
    expect(await fetch(`http://127.0.0.1:${port}`)).toMatchObject({ status: 404 });
    released.resolve();
    await released.promise;
    expect(far).toEqual([]);
  });

  it('is given up at the target when its caller leaves during the handshake', async () => {
    const { port: behind, sockets } = await mute();
    const caller = ask((await relaying(behind)).port);
    await expect.poll(() => sockets.length).toBe(1);
    const closed = once(sockets[0]!, 'close');
    caller.resetAndDestroy();
    await closed;
  });

  it('is refused with 502 when the target ends the handshake', async () => {
    const { port: behind, sockets } = await mute();
    const { port } = await relaying(behind);
    const status = upgrade(port);
    await expect.poll(() => sockets.length).toBe(1);
    sockets[0]!.destroy();
    expect(await status).toBe(502);
  });

  it('closes with the status of a server that goes away when the target breaks the protocol', async () => {
    const { port: behind, sockets } = await target();
    const caller = await dial((await relaying(behind)).port);
    const closed = once(caller, 'close');
    (sockets[0] as unknown as { _socket: Socket })._socket.write(Buffer.from([0xff, 0xff]));
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1001, 'L1 ended the connection']);
  });

  it('closes at the target when its caller breaks the protocol', async () => {
    const { port: behind, sockets } = await target();
    const caller = await dial((await relaying(behind)).port);
    const closed = once(sockets[0]!, 'close');
    (caller as unknown as { _socket: Socket })._socket.write(Buffer.from([0xff, 0xff]));
    await closed;
  });

  it('ends when its caller breaks the protocol and then answers nothing', async () => {
    const { port: behind, sockets } = await target();
    const caller = ask((await relaying(behind)).port);
    await expect.poll(() => sockets.length).toBe(1);
    await once(caller, 'data');
    // The library waits for the answer to a closing frame by a timer.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const closed = once(sockets[0]!, 'close');
      caller.write(Buffer.from([0xff, 0xff]));
      await closed;
    } finally {
      vi.useRealTimers();
    }
  });

  it('passes binary and text on as they are, in both directions', async () => {
    const { port: behind, sockets } = await target();
    const caller = await dial((await relaying(behind)).port);
    for (const [from, to] of [
      [caller, sockets[0]!],
      [sockets[0]!, caller],
    ] as const)
      for (const binary of [true, false]) {
        const received = once(to, 'message');
        from.send(Buffer.from('x'), { binary });
        expect((await received).map(String)).toEqual(['x', String(binary)]);
      }
  });

  it('has the answers of the gateway’s own methods as text, and none for a notification', async () => {
    const { port: behind, sockets } = await target();
    const caller = await dial((await relaying(behind)).port);
    const answers: unknown[] = [];
    caller.on('message', (data, binary) => answers.push([String(data), binary]));
    sockets[0]!.on('message', () => sockets[0]!.send('behind'));
    for (const id of ['', '"id":1,']) caller.send(Buffer.from(`{"jsonrpc":"2.0",${id}"method":"own_it"}`));
    caller.send('other');
    await expect.poll(() => answers.length).toBe(2);
    expect(answers).toEqual([
      ['{"jsonrpc":"2.0","id":1,"result":"own"}', false],
      ['behind', false],
    ]);
  });
});

describe('a target that does not read', () => {
  it('pauses its caller above one megabyte, until less than that waits', async () => {
    const sent: (() => void)[] = [];
    const far = Object.assign(new EventEmitter(), {
      bufferedAmount: 0,
      send: (_: Buffer, __: object, done: () => void) => sent.push(done),
      terminate: () => {},
    });
    const { port, near } = await relaying(far as unknown as WebSocket);
    const dialled = dial(port);
    await expect.poll(() => far.listenerCount('open')).toBe(1);
    far.emit('open');
    const caller = await dialled;
    const pausedAfter = async (waiting: number) => {
      far.bufferedAmount = waiting;
      const count = sent.length;
      caller.send('x');
      await expect.poll(() => sent.length).toBe(count + 1);
      return near[0]!.isPaused;
    };
    expect([await pausedAfter(MEGABYTE), await pausedAfter(MEGABYTE + 1)]).toEqual([false, true]);
    const pausedAt = (waiting: number) => {
      far.bufferedAmount = waiting;
      sent[0]!();
      return near[0]!.isPaused;
    };
    expect([pausedAt(MEGABYTE), pausedAt(MEGABYTE - 1)]).toEqual([true, false]);
  });

  it('pauses its caller at one megabyte that waits for it, and gets all messages when it reads again', async () => {
    const { port: behind, sockets } = await target();
    const { port, near, far } = await relaying(behind);
    const caller = await dial(port);
    sockets[0]!.pause();
    const received: number[] = [];
    sockets[0]!.on('message', (data: Buffer) => received.push(data.readUInt32BE()));
    const message = Buffer.alloc(MEGABYTE / 16);
    let count = 0;
    while (!near[0]!.isPaused) {
      message.writeUInt32BE(count++);
      await new Promise((sent) => caller.send(Buffer.from(message), sent));
      if (count % 16 === 0) await new Promise(setImmediate);
    }
    expect(far[0]!.bufferedAmount).toBeGreaterThan(MEGABYTE);
    expect(far[0]!.bufferedAmount).toBeLessThan(2 * MEGABYTE);
    sockets[0]!.resume();
    await expect.poll(() => received.length).toBe(count);
    expect(received).toEqual(Array.from({ length: count }, (_, index) => index));
    expect(near[0]!.isPaused).toBe(false);
  });
});

describe('a caller that does not read', () => {
  it('has an answer as long as 64 megabytes wait for it, and ends above', async () => {
    const { port: behind, sockets } = await target();
    const { port, near } = await relaying(behind);
    const caller = await dial(port);
    let waiting = 64 * MEGABYTE;
    Object.defineProperty(near[0]!, 'bufferedAmount', { get: () => waiting });
    const received = once(caller, 'message');
    sockets[0]!.send('x');
    expect(String((await received)[0])).toBe('x');
    waiting++;
    const closed = once(caller, 'close');
    sockets[0]!.send('y');
    expect((await closed)[0]).toBe(1006);
  });

  it('keeps its connection at some megabytes, and loses it at 64', async () => {
    const { port: behind, sockets } = await target();
    const caller = await dial((await relaying(behind)).port);
    const received: unknown[] = [];
    caller.on('message', () => received.push(1));
    caller.pause();
    const message = Buffer.alloc(MEGABYTE);
    for (let count = 0; count < 16; count++) sockets[0]!.send(message);
    await expect.poll(() => sockets[0]!.bufferedAmount).toBe(0);
    caller.resume();
    await expect.poll(() => received.length).toBe(16);
    caller.pause();
    const closed = once(sockets[0]!, 'close');
    for (let count = 0; count < 100; count++) sockets[0]!.send(message);
    await closed;
  });
});
