import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CLEAN, CLEAN_LINK } from '../../../../src/system/net/link/line.ts';
import { UdpLink, UdpLinks } from '../../../../src/system/net/link/udp-link.ts';
import { freePort } from '../../../../src/system/net/ports.ts';

let server: Socket;
let client: Socket;
let link: UdpLink;
let received: string[];
let port: number;

beforeEach(async () => {
  received = [];
  server = createSocket('udp4');
  server.on('message', (data, from) => server.send(`re ${data}`, from.port, from.address));
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
  port = await freePort('127.0.0.1', [20_000, 32_000], new Set());
  const target = { host: '127.0.0.1', port: server.address().port };
  link = await UdpLink.open({ host: '127.0.0.1', port }, target, () => 0.5);
  client = createSocket('udp4').on('message', (data) => received.push(String(data)));
});
afterEach(async () => {
  await link.stop();
  client.close();
  server.close();
});

const send = (text: string) => client.send(text, port, '127.0.0.1');

it('a link passes datagrams on, and their answers back', async () => {
  send('a');
  await vi.waitFor(() => expect(received).toEqual(['re a']));
});

it.each([
  ['cut', { ...CLEAN_LINK, isCut: true }],
  ['dropped in one direction', { ...CLEAN_LINK, there: { ...CLEAN, isDropped: true } }],
  ['dropped in the other', { ...CLEAN_LINK, back: { ...CLEAN, isDropped: true } }],
  ['lost', { ...CLEAN_LINK, there: { ...CLEAN, loss: 0.6 } }],
])('a datagram on a link that is %s does not arrive, nor later', async (_, shape) => {
  // The relay knows the client, so that nothing later is sooner.
  send('a');
  await vi.waitFor(() => expect(received).toEqual(['re a']));
  link.shape = shape;
  const passed = new Promise<void>((done) => {
    const other = createSocket('udp4');
    other.send('b', port, '127.0.0.1', () => other.close(() => done()));
  });
  send('lost');
  await passed;
  await vi.waitFor(() => expect(link.lost).toBeGreaterThanOrEqual(2));
  link.shape = CLEAN_LINK;
  send('c');
  await vi.waitFor(() => expect(received).toEqual(['re a', 're c']));
});

it('a late datagram arrives', async () => {
  link.shape = { ...CLEAN_LINK, there: { ...CLEAN, delayMs: 5 } };
  send('a');
  await vi.waitFor(() => expect(received).toEqual(['re a']));
});

it('a process with a link is known by it: datagrams come from there, and answers go there', async () => {
  const links = new UdpLinks();
  const sources: number[] = [];
  const node = async (answer: boolean) => {
    const socket = createSocket('udp4');
    const heard: string[] = [];
    socket.on('message', (data, from) => {
      heard.push(String(data));
      sources.push(from.port);
      if (answer) socket.send(`re ${data}`, from.port, from.address);
    });
    await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
    const at = { host: '127.0.0.1', port: await freeUdpPort() };
    const proxy = await UdpLink.open(at, { host: '127.0.0.1', port: socket.address().port }, () => 0.5, links);
    return { socket, heard, at, proxy };
  };
  const a = await node(false);
  const b = await node(true);
  try {
    a.socket.send('a', b.at.port, '127.0.0.1');
    await vi.waitFor(() => expect(a.heard).toEqual(['re a']));
    // Each has seen the place at which the other one is known.
    expect(sources).toEqual([a.at.port, b.at.port]);
    b.proxy.shape = { ...CLEAN_LINK, isCut: true };
    a.socket.send('b', b.at.port, '127.0.0.1');
    await vi.waitFor(() => expect(b.proxy.lost).toBe(1));
    expect(b.heard).toEqual(['a']);
  } finally {
    await Promise.all([a, b].map(({ proxy }) => proxy.stop()));
    for (const { socket } of [a, b]) socket.close();
  }
});

it('a link that is closed leaves no socket behind', async () => {
  const source = new Promise<number>((done) => server.once('message', (_, from) => done(from.port)));
  send('a');
  const taken = await source;
  await expect(bind(taken)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await link.stop();
  link = await UdpLink.open({ host: '127.0.0.1', port }, { host: '127.0.0.1', port: 9 }, () => 0.5);
  await vi.waitFor(async () => (await bind(taken)).close());
});

async function bind(at: number): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((done, fail) => socket.once('error', fail).bind(at, '127.0.0.1', done));
  return socket;
}

async function freeUdpPort(): Promise<number> {
  const socket = await bind(0);
  const { port: free } = socket.address();
  await new Promise<void>((done) => socket.close(() => done()));
  return free;
}
