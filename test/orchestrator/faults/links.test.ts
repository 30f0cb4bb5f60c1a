import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Links } from '../../../src/orchestrator/faults/links.ts';
import type { Link } from '../../../src/orchestrator/plan/plan.ts';
import { CLEAN_LINK } from '../../../src/system/net/link/line.ts';
import { freePort } from '../../../src/system/net/ports.ts';

const host = '127.0.0.1';
let target: Server;
let links: Links;
let sockets: Socket[];
const used = new Set<number>();

beforeEach(async () => {
  sockets = [];
  target = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.pipe(socket);
  });
  await new Promise<void>((done) => target.listen(0, host, done));
  links = new Links();
});
afterEach(async () => {
  await links.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((done) => target.close(done));
});

async function linkFrom(from: string, transport: 'tcp' | 'udp' = 'tcp'): Promise<Link> {
  const port = await freePort(host, [20_000, 32_000], used);
  used.add(port);
  const address = target.address();
  const place = { host, port: typeof address === 'object' && address !== null ? address.port : 0 };
  return { id: `link:${from}>b:p2p`, from, to: 'b', port: 'p2p', transport, listen: { host, port }, target: place };
}

/** Returns what a port answers to a text; undefined: it is closed, or refuses. */
function ask({ listen }: Link, text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(listen);
    sockets.push(socket);
    socket.on('error', () => resolve(undefined)).on('data', (data) => resolve(String(data)));
    socket.write(text);
  });
}

it('links listen while their plan has them, and those that stand keep their connections', async () => {
  const [a, c] = [await linkFrom('a'), await linkFrom('c')];
  await links.follow({ links: [a], seed: 1 });
  expect(await ask(a, 'x')).toBe('x');
  await vi.waitFor(() => expect(links.connections(a.id)).toBe(1));
  await links.follow({ links: [a, c], seed: 1 });
  expect(links.connections(a.id)).toBe(1);
  expect(await ask(c, 'y')).toBe('y');
  await links.follow({ links: [c], seed: 1 });
  expect(links.all).toEqual([c]);
  expect(await ask(a, 'x')).toBeUndefined();
  await links.follow({ seed: 1 });
  expect(await ask(c, 'y')).toBeUndefined();
});

it('the shapes of links are those given, and clean for all others', async () => {
  const [a, c, udp] = [await linkFrom('a'), await linkFrom('c'), await linkFrom('*', 'udp')];
  await links.follow({ links: [a, c, udp], seed: 1 });
  links.shape(new Map([[a.id, { ...CLEAN_LINK, isCut: true }]]));
  expect([await ask(a, 'x'), await ask(c, 'x')]).toEqual([undefined, 'x']);
  links.shape(new Map([[c.id, { ...CLEAN_LINK, isCut: true }]]));
  expect([await ask(a, 'x'), await ask(c, 'x')]).toEqual(['x', undefined]);
});

it('a link whose port is taken fails with the port', async () => {
  const a = await linkFrom('a');
  const other = createServer();
  await new Promise<void>((done) => other.listen(a.listen.port, host, done));
  await expect(links.follow({ links: [a], seed: 1 })).rejects.toMatchObject({
    code: 'port',
    exit: 4,
    data: { ports: [a.listen.port] },
  });
  await new Promise((done) => other.close(done));
});
