import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChannelServer, serveChannel } from '../../../src/orchestrator/channel/channel-server.ts';
import type { Channel } from '../../../src/system/channel/channel.ts';
import { createCheckpoints } from '../../../src/system/channel/checkpoints.ts';
import type { CheckpointStep } from '../../../src/system/channel/messages.ts';
import { rest } from '../../../src/system/channel/quiesce.ts';
import { supervisedChannel } from '../../../src/system/channel/supervised-channel.ts';
import { type ClockState, reach } from '../../../src/system/time/clock.ts';
import { skewedNow } from '../../../src/system/time/skew.ts';

const HOUR = 3_600_000;

/** Opens both ends of a channel, on a real socket. */
async function openChannel(
  initial: ClockState,
): Promise<AsyncDisposable & { supervisor: ChannelServer; channel: Channel; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  const file = join(folder, 'clock.json');
  const socket = join(folder, 'clock.sock');
  const supervisor = await serveChannel(socket, initial);
  writeFileSync(file, JSON.stringify({ ...initial, socket }));
  const channel = supervisedChannel(file, 'main/sequencer/cl');
  return {
    supervisor,
    channel,
    file,
    async [Symbol.asyncDispose]() {
      channel.close();
      await supervisor.close();
    },
  };
}

const standing = (at: number): ClockState => ({ at, wall: Date.now(), rate: 0 });

/** Resolves when reports, connections or their ends make a condition true. */
function seen({ quiesce }: ChannelServer, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = quiesce.onChange(look);
    look();
  });
}

describe('the clock and quiesce services of a process', () => {
  it('is where its file says from the start, without its supervisor too', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'clock-')), 'clock.json');
    writeFileSync(file, JSON.stringify({ ...standing(5000), socket: '/nothing/listens/here' }));
    const clock = supervisedChannel(file, 'main/sequencer/cl');
    expect(clock.now()).toBe(5000);
    clock.close();
  });

  it('is ahead by its skew, for JWT too, and with the others again when that ends', async () => {
    await using open = await openChannel(standing(5000));
    const { supervisor, channel } = open;
    const moved = async (skew: number) => {
      const done = new Promise<void>((resolve) => {
        const unsubscribe = channel.onMoved(() => {
          if (channel.now() !== 5000 + skew) return;
          unsubscribe();
          resolve();
        });
      });
      supervisor.clock.skew('main/sequencer/cl', skew);
      supervisor.clock.skew('main/verifier/cl', 9 * HOUR);
      await done;
      expect(Math.abs(skewedNow() - Date.now() - skew)).toBeLessThan(HOUR);
    };
    await seen(supervisor, () => supervisor.quiesce.reports().has('main/sequencer/cl'));
    await moved(2 * HOUR);
    expect(channel.wallUntil(5000 + 2 * HOUR)).toBe(0);
    expect(channel.wallUntil(5001 + 2 * HOUR)).toBe(Number.POSITIVE_INFINITY);
    expect(supervisor.clock.skews().get('main/sequencer/cl')).toBe(2 * HOUR);
    await moved(-2 * HOUR);
    await moved(0);
    expect([...supervisor.clock.skews().keys()]).toEqual(['main/verifier/cl']);
  });

  it('follows its supervisor at once: what waits for chain time is woken', async () => {
    await using one = await openChannel(standing(5000));
    const reached = reach(one.channel, 5000 + HOUR, new AbortController().signal);
    await seen(one.supervisor, () => one.supervisor.quiesce.reports().has('main/sequencer/cl'));
    one.supervisor.clock.push(standing(5000 + HOUR), { watched: false });
    expect(await reached).toBe(true);
    expect(one.channel.now()).toBe(5000 + HOUR);
  });

  it('keeps its state while its supervisor is away, and follows the next one', async () => {
    await using one = await openChannel(standing(5000));
    await seen(one.supervisor, () => one.supervisor.quiesce.reports().size === 1);
    await one.supervisor.close();
    expect(one.channel.now()).toBe(5000);
    const again = await serveChannel(join(dirname(one.file), 'clock.sock'), standing(7000));
    expect(await reach(one.channel, 7000, AbortSignal.timeout(8000))).toBe(true);
    await again.close();
  });

  it('reports a step when every part is idle, not before, with what the process sees then', async () => {
    await using one = await openChannel(standing(5000));
    const { supervisor, channel } = one;
    const activity = channel.activity();
    let head = 'old';
    channel.report(() => ({ kind: 'beacon', l1: head, number: 1 }));
    activity.busy();
    const work = rest(channel, activity, 1000, new AbortController().signal).then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      head = 'new';
      activity.idle();
    });
    await seen(supervisor, () => supervisor.quiesce.reports().size === 1);
    const step = supervisor.clock.push(standing(6000), { watched: true });
    await work;
    await seen(supervisor, () => supervisor.quiesce.reports().get('main/sequencer/cl')?.step === step);
    expect(supervisor.quiesce.reports().get('main/sequencer/cl')).toEqual({
      step,
      progress: { kind: 'beacon', l1: 'new', number: 1 },
    });
  });
});

it('the supervisor asks programs for the steps for a checkpoint, and names the one that failed', async () => {
  await using one = await openChannel(standing(1000));
  const { supervisor, channel } = one;
  await seen(supervisor, () => supervisor.quiesce.reports().has('main/sequencer/cl'));
  const step = (name: CheckpointStep, checkpoint: number) =>
    supervisor.checkpoints.step(name, checkpoint, ['main/sequencer/cl']);
  await expect(step('take', 1)).rejects.toThrow(
    'main/sequencer/cl did not take its checkpoint: it keeps no checkpoints',
  );
  let value = 1;
  channel.onCheckpoints(
    createCheckpoints<number>({
      take: () => value,
      suspend() {},
      restore(then) {
        value = then;
      },
      resume() {},
    }),
  );
  await step('take', 1);
  value = 2;
  await step('suspend', 1);
  await step('restore', 1);
  await step('resume', 1);
  expect(value).toBe(1);
  await expect(step('suspend', 2)).rejects.toThrow('does not know checkpoint 2');
  await expect(supervisor.checkpoints.step('suspend', 1, ['main/verifier/cl'])).rejects.toThrow('main/verifier/cl');
});

it('the supervisor says what to do when a program cannot write its state', async () => {
  await using one = await openChannel(standing(5000));
  await seen(one.supervisor, () => one.supervisor.quiesce.reports().size === 1);
  const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  one.channel.onFlush(() => Promise.reject(new Error('cannot write l1-state.json', { cause })));
  await expect(one.supervisor.quiesce.flush()).rejects.toThrow(
    /main\/sequencer\/cl did not write its state: cannot write l1-state.json: ENOSPC.*\n {2}free some space/,
  );
});

it('a program hands an order for a checkpoint of the whole network to its supervisor', async () => {
  await using one = await openChannel(standing(1000));
  const { supervisor, channel } = one;
  await seen(supervisor, () => supervisor.quiesce.reports().has('main/sequencer/cl'));
  await expect(channel.checkpoint?.({ action: 'take' })).rejects.toThrow('still starting');
  supervisor.checkpoints.serveOrders(async (order) => (order.action === 'take' ? 7 : order.number));
  expect(await channel.checkpoint?.({ action: 'take' })).toBe(7);
  expect(await channel.checkpoint?.({ action: 'restore', number: 3 })).toBe(3);
});

it('a rest ends when the clock moves back', async () => {
  await using one = await openChannel(standing(HOUR));
  const { supervisor, channel } = one;
  await seen(supervisor, () => supervisor.quiesce.reports().has('main/sequencer/cl'));
  const resting = rest(channel, channel.activity(), HOUR, new AbortController().signal);
  supervisor.clock.push(standing(HOUR - 1), { watched: false });
  await resting;
  expect(channel.now()).toBe(HOUR - 1);
});
