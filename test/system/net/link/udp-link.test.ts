import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CLEAN, CLEAN_LINK } from '../../../../src/system/net/link/line.ts';
import { UdpLink } from '../../../../src/system/net/link/udp-link.ts';
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
