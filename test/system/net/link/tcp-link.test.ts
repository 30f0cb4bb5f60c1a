import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CLEAN, CLEAN_LINK, type Shape } from '../../../../src/system/net/link/line.ts';
import { TcpLink } from '../../../../src/system/net/link/tcp-link.ts';
import { seededRandom } from '../../../../src/system/numbers/random.ts';

const AT = { host: '127.0.0.1', port: 0 };

let server: Server;
let link: TcpLink;
/** Connections of the target, which sends back what it receives. */
let taken: Socket[];

beforeEach(async () => {
  taken = [];
  server = createServer((socket) => {
    taken.push(socket);
    socket.on('error', () => undefined).pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  link = await TcpLink.open(AT, { host: '127.0.0.1', port }, seededRandom(7));
});
afterEach(async () => {
  await link.stop();
  for (const socket of taken) socket.destroy();
  await new Promise((done) => server.close(done));
});

const both = (shape: Partial<Shape>) => ({
  ...CLEAN_LINK,
  there: { ...CLEAN, ...shape },
  back: { ...CLEAN, ...shape },
});

/** A client of the link, with the text that it has received, and how it ended. */
function client() {
  const socket = connect({ host: '127.0.0.1', port: link.port });
  const seen = { text: '', end: undefined as string | undefined };
  socket.on('data', (data) => {
    seen.text += data;
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    seen.end = error.code;
  });
  socket.on('close', () => {
    seen.end ??= 'closed';
  });
  return { socket, seen };
}

it('a link passes bytes both ways, and the end of one side', async () => {
  const { socket, seen } = client();
  socket.end('hello');
  await vi.waitFor(() => expect(seen).toEqual({ text: 'hello', end: 'closed' }));
  await vi.waitFor(() => expect(link.size).toBe(0));
});

it('a link keeps the order of bytes when its delay varies, and each byte once when its shape changes', async () => {
  link.shape = both({ delayMs: 4, jitterMs: 4, loss: 0.02 });
  const { socket, seen } = client();
  const words = Array.from({ length: 2000 }, (_, index) => `${index} `);
  for (const [index, word] of words.entries()) {
    socket.write(word);
    if (index % 100 === 0) await new Promise((done) => setImmediate(done));
    if (index === 1000) link.shape = both({ rate: 100_000, jitterMs: 1 });
  }
  await vi.waitFor(() => expect(seen.text.length).toBeGreaterThan(0));
  link.shape = CLEAN_LINK;
  await vi.waitFor(() => expect(seen.text).toBe(words.join('')));
});

it('a late link holds a bounded number of bytes, and its source waits', async () => {
  link.shape = both({ delayMs: 3_600_000 });
  const { socket } = client();
  const most = 64 * 1024 * 1024;
  socket.write(Buffer.alloc(most));
  await vi.waitFor(() => expect(link.held).toBeGreaterThanOrEqual(1024 * 1024));
  await vi.waitFor(() => expect(taken).toHaveLength(1));
  expect(link.held).toBeLessThan(2 * 1024 * 1024);
  expect(socket.writableLength).toBeGreaterThan(0);
  socket.resetAndDestroy();
});

it('a cut ends connections that stand and refuses new ones, until it is over', async () => {
  const before = client();
  before.socket.write('a');
  await vi.waitFor(() => expect(before.seen.text).toBe('a'));
  link.shape = { ...CLEAN_LINK, isCut: true };
  await vi.waitFor(() => expect(before.seen.end).toBe('ECONNRESET'));
  await vi.waitFor(() => expect(taken[0]?.destroyed).toBe(true));
  const during = client();
  await vi.waitFor(() => expect(during.seen.end).toBeDefined());
  expect(taken).toHaveLength(1);
  link.shape = CLEAN_LINK;
  const after = client();
  after.socket.end('b');
  await vi.waitFor(() => expect(after.seen).toEqual({ text: 'b', end: 'closed' }));
  await vi.waitFor(() => expect(link.size).toBe(0));
});

it('a drop lets no byte and no new connection through, and both pass when it is over', async () => {
  const { socket, seen } = client();
  socket.write('a');
  await vi.waitFor(() => expect(seen.text).toBe('a'));
  link.shape = both({ isDropped: true });
  socket.write('b');
  const late = client();
  late.socket.write('c');
  await vi.waitFor(() => expect(link.held).toBe(1));
  await vi.waitFor(() => expect(link.size).toBe(2));
  expect([seen.text, late.seen.text, taken.length]).toEqual(['a', '', 1]);
  link.shape = CLEAN_LINK;
  await vi.waitFor(() => expect([seen.text, late.seen.text]).toEqual(['ab', 'c']));
  socket.end();
  late.socket.end();
  await vi.waitFor(() => expect(link.size).toBe(0));
});

it('the end of a client reaches the target behind a drop', async () => {
  const { socket, seen } = client();
  socket.write('a');
  await vi.waitFor(() => expect(seen.text).toBe('a'));
  link.shape = both({ isDropped: true });
  socket.resetAndDestroy();
  await vi.waitFor(() => expect(seen.end).toBe('closed'));
  const late = client();
  late.socket.destroy();
  await vi.waitFor(() => expect(link.size).toBe(1));
  expect(taken[0]?.destroyed).toBe(false);
  link.shape = CLEAN_LINK;
  await vi.waitFor(() => expect(taken[0]?.destroyed).toBe(true));
  await vi.waitFor(() => expect(link.size).toBe(0));
  expect(taken).toHaveLength(1);
});

it('a link without a target resets its client', async () => {
  for (const socket of taken) socket.destroy();
  await new Promise((done) => server.close(done));
  const { seen } = client();
  await vi.waitFor(() => expect(seen.end).toBe('ECONNRESET'));
  await vi.waitFor(() => expect(link.size).toBe(0));
});

it('a handler takes new connections in place of the target, and a change ends those that stand', async () => {
  const first = client();
  first.socket.write('a');
  await vi.waitFor(() => expect(first.seen.text).toBe('a'));
  link.handler = (socket) => socket.on('data', (data) => socket.write(`not ${data}`));
  await vi.waitFor(() => expect(first.seen.end).toBe('ECONNRESET'));
  const second = client();
  second.socket.write('a');
  await vi.waitFor(() => expect(second.seen.text).toBe('not a'));
  link.handler = undefined;
  await vi.waitFor(() => expect(second.seen.end).toBe('ECONNRESET'));
  await vi.waitFor(() => expect(link.size).toBe(0));
});
