import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serveChannel } from '../../../src/orchestrator/channel/channel-server.ts';
import { processMessage } from '../../../src/system/channel/messages.ts';
import { supervisedChannel } from '../../../src/system/channel/supervised-channel.ts';
import type { TraceMark } from '../../../src/system/channel/trace-marks.ts';

const POLL = { timeout: 60_000 };
const hash = (digit: string) => `0x${digit.repeat(64)}`;
const mark: TraceMark = { mark: 'seal', of: hash('a'), from: 1.25, to: 2.5, number: 3, parent: hash('b') };

it('a program marks blocks while one listener or more follow, also one that connects again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'traces-'));
  const [file, socket] = [join(folder, 'clock.json'), join(folder, 'clock.sock')];
  const state = { at: 5000, wall: Date.now(), rate: 0 };
  const supervisor = await serveChannel(socket, state);
  writeFileSync(file, JSON.stringify({ ...state, socket }));
  const channel = supervisedChannel(file, 'main/sequencer/cl');
  const isOn = () => channel.traces.isOn;
  await channel.opened;
  expect(isOn()).toBe(false);
  channel.traces.mark({ ...mark, number: 1 });

  const received: unknown[] = [];
  const leave = supervisor.traces.follow((task, each) => received.push([task, each]));
  const leaveToo = supervisor.traces.follow(() => {});
  await expect.poll(isOn, POLL).toBe(true);
  channel.traces.mark(mark);
  await expect.poll(() => received, POLL).toEqual([['main/sequencer/cl', mark]]);

  const again = supervisedChannel(file, 'main/verifier/cl');
  await expect.poll(() => again.traces.isOn, POLL).toBe(true);
  leaveToo();
  again.traces.mark({ ...mark, number: 4 });
  await expect.poll(() => received.length, POLL).toBe(2);
  leave();
  await expect.poll(isOn, POLL).toBe(false);
  again.close();
  channel.close();
  await supervisor.close();
});

it('a program whose supervisor is gone marks nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'traces-'));
  const [file, socket] = [join(folder, 'clock.json'), join(folder, 'clock.sock')];
  const supervisor = await serveChannel(socket, { at: 5000, wall: Date.now(), rate: 0 });
  writeFileSync(file, JSON.stringify({ at: 5000, wall: Date.now(), rate: 0, socket }));
  supervisor.traces.follow(() => {});
  const channel = supervisedChannel(file, 'main/sequencer/cl');
  await expect.poll(() => channel.traces.isOn, POLL).toBe(true);
  await supervisor.close();
  await expect.poll(() => channel.traces.isOn, POLL).toBe(false);
  channel.close();
});

it.each([
  ['an unknown kind', { ...mark, mark: 'rest' }],
  ['no hash', { ...mark, of: 'block 3' }],
  ['a time that is none', { ...mark, from: Number.NaN }],
  ['a time before all', { ...mark, to: -1 }],
])('a mark with %s is no message of a process', (_, value) => {
  expect(processMessage(JSON.parse(JSON.stringify(value)))).toBeUndefined();
});

it('a mark keeps the values that are of its kind alone', () => {
  const given = { ...mark, parent: 'x', transactions: -1, number: 0.5, to: 1, more: 'y' };
  expect(processMessage(given)).toEqual({ mark: 'seal', of: mark.of, from: 1.25, to: 1.25 });
});
