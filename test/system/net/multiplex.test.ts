import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { type Acceptor, acceptAt } from '../../../src/system/net/acceptor.ts';
import { carryWithin, servePlaces } from '../../../src/system/net/multiplex.ts';
import { freePort } from '../free-port.ts';

const HOST = '127.0.0.1';
/** More than a stream holds before its reader takes it. */
const MUCH = Buffer.alloc(2_000_000, 'much ');

/** Two ends of one stream. */
async function pair(): Promise<readonly [Socket, Socket]> {
  const path = join(mkdtempSync(join(tmpdir(), 'multiplex-')), 'stream.sock');
  const server = createServer().listen(path);
  await once(server, 'listening');
  const near = connect(path);
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [near, far];
}

/** A server on a free port, to which a port of this machine leads through one stream. */
async function carried(serve: (socket: Socket) => void) {
  const server: Server = createServer(serve).listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const place = { host: HOST, port: address.port };
  const [near, far] = await pair();
  const served = servePlaces(far, [place]);
  const refusals: string[] = [];
  const link = carryWithin(near, ({ port }, reason) => refusals.push(`${port}: ${reason}`));
  await link.open;
  const acceptors: Acceptor[] = [];
  const leadTo = async (port: number) => {
    const acceptor = await acceptAt({ host: HOST, port: 0 }, (socket) => link.carry(socket, { host: HOST, port }));
    acceptors.push(acceptor);
    return connect(acceptor.port, HOST);
  };
  onTestFinished(async () => {
    link.stop();
    await Promise.all(acceptors.map((acceptor) => acceptor.stop()));
    server.close();
  });
  return { place, near, link, served, refusals, leadTo };
}

it('a stream carries many connections, each to its last byte', async () => {
  const { place, leadTo } = await carried((socket) => void socket.end(MUCH));
  const sockets = await Promise.all(Array.from({ length: 8 }, () => leadTo(place.port)));
  const texts = await Promise.all(sockets.map((socket) => buffer(socket)));
  expect(texts.map((text) => text.equals(MUCH))).toEqual(sockets.map(() => true));
});

it('a stream carries what a caller sends, and the end of the answer', async () => {
  const { place, leadTo } = await carried((socket) => {
    socket.on('data', (bytes: Buffer) => socket.end(`${bytes.length} bytes`));
  });
  const socket = await leadTo(place.port);
  socket.write('question');
  expect((await buffer(socket)).toString()).toBe('8 bytes');
});

it('a stream carries no connection to a place that is not named or that does not answer', async () => {
  const { place, leadTo, refusals } = await carried((socket) => void socket.end('ready'));
  const other = await freePort();
  await once(await leadTo(other), 'close');
  expect(refusals).toEqual([`${other}: status 403`]);
  expect((await buffer(await leadTo(place.port))).toString()).toBe('ready');
});

it('a stream says that a named place does not answer', async () => {
  const port = await freePort();
  const [near, far] = await pair();
  void servePlaces(far, [{ host: HOST, port }]);
  const refused = Promise.withResolvers<string>();
  const link = carryWithin(near, (_, reason) => refused.resolve(reason));
  const acceptor = await acceptAt({ host: HOST, port: 0 }, (socket) => link.carry(socket, { host: HOST, port }));
  connect(acceptor.port, HOST);
  expect(await refused.promise).toBe('status 502');
  link.stop();
  await acceptor.stop();
});

it('a stream that ends ends its connections and its service', async () => {
  const { place, near, link, served, leadTo } = await carried((socket) => void socket.write('first'));
  const socket = await leadTo(place.port);
  await once(socket, 'data');
  const closed = once(socket, 'close');
  near.destroy();
  await Promise.all([closed, served]);
  expect(link.isOver()).toBe(true);
  await once(await leadTo(place.port), 'close');
});

it('a stream without another end is never open', async () => {
  const [near, far] = await pair();
  const link = carryWithin(near, () => undefined);
  far.destroy();
  await expect(link.open).rejects.toThrow();
});
