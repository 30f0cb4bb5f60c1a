import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serveChannel } from '../../../src/orchestrator/channel/channel-server.ts';
import { supervisedChannel } from '../../../src/system/channel/supervised-channel.ts';
import { connectUnix, readMessages } from '../../../src/system/net/socket.ts';

/** Opens both ends of the channel of l1-beacon, on a real socket. */
async function openChannel() {
  const folder = mkdtempSync(join(tmpdir(), 'l1-'));
  const [file, socket] = [join(folder, 'clock.json'), join(folder, 'clock.sock')];
  const state = { at: 5000, wall: Date.now(), rate: 0 };
  const supervisor = await serveChannel(socket, state);
  const connected = new Promise<string>((resolve) => supervisor.l1.onConnected(resolve));
  writeFileSync(file, JSON.stringify({ ...state, socket }));
  const channel = supervisedChannel(file, 'l1-beacon');
  expect(await connected).toBe('l1-beacon');
  return { supervisor, channel };
}

it('a program answers the requests about L1 in order, also those from before it was ready', async () => {
  const { supervisor, channel } = await openChannel();
  const asked: unknown[] = [];
  const stall = supervisor.l1.ask('l1-beacon', { do: 'stall', until: null });
  const reorg = supervisor.l1.ask('l1-beacon', { do: 'reorg', depth: 3, drop: [] });
  channel.onL1(async (request) => {
    asked.push(request);
    if (request.do === 'reorg') throw new Error('L1 does not answer');
    return { kind: 'stalled' };
  });
  expect(await stall).toEqual({ kind: 'stalled' });
  await expect(reorg).rejects.toThrow('L1 does not answer');
  expect(asked).toEqual([
    { do: 'stall', until: null },
    { do: 'reorg', depth: 3, drop: [] },
  ]);
  channel.close();
  await supervisor.close();
});

it('a request about L1 fails with the program that ends, and without one', async () => {
  const { supervisor, channel } = await openChannel();
  const stall = supervisor.l1.ask('l1-beacon', { do: 'stall', until: null });
  channel.close();
  await expect(stall).rejects.toThrow('l1-beacon ended');
  await expect(supervisor.l1.ask('l1-beacon', { do: 'stall', until: 1 })).rejects.toThrow('l1-beacon does not run');
  await supervisor.close();
});

it('a program that has connected is told what holds for L1 before the clock', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'l1-')), 'clock.sock');
  const supervisor = await serveChannel(path, { at: 5000, wall: Date.now(), rate: 0 });
  supervisor.l1.onConnected((task) => void supervisor.l1.ask(task, { do: 'stall', until: null }).catch(() => {}));
  const socket = (await connectUnix(path))!;
  const messages: unknown[] = [];
  const both = new Promise<void>((resolve) => {
    const receive = (message: unknown) => messages.push(message) === 2 && resolve();
    readMessages(socket, receive, () => {}, 1000);
  });
  socket.write(`${JSON.stringify({ task: 'l1-beacon' })}\n`);
  await both;
  expect(messages).toMatchObject([{ l1: { do: 'stall', until: null } }, { at: 5000, rate: 0 }]);
  socket.destroy();
  await supervisor.close();
});

it.each([
  ['no supervisor is named', {}],
  ['its supervisor is away', { socket: '/nothing/listens/here' }],
])('the channel of a program opens when %s', async (_, rest) => {
  const file = join(mkdtempSync(join(tmpdir(), 'l1-')), 'clock.json');
  writeFileSync(file, JSON.stringify({ at: 5000, wall: Date.now(), rate: 0, ...rest }));
  const channel = supervisedChannel(file, 'l1-beacon');
  await channel.opened;
  channel.close();
});

it('a program tells that a fault of the pool has met a transaction', async () => {
  const { supervisor, channel } = await openChannel();
  const met = new Promise((resolve) => supervisor.l1.onPoolFault(resolve));
  channel.tellPoolFault({ fault: 'a', nonce: 3, isOver: true });
  expect(await met).toEqual({ fault: 'a', nonce: 3, isOver: true });
  channel.close();
  await supervisor.close();
});
