import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serveChannel } from '../../../src/orchestrator/channel/channel-server.ts';
import { supervisedChannel } from '../../../src/system/channel/supervised-channel.ts';

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
