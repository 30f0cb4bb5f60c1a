import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Home, type Status } from './devnet.ts';
import { handOver, SPEC } from './support/handover.ts';

it('the sequencer moves from node to node under load, and no accepted transaction is lost', async () => {
  await using home = new Home();
  const { told } = await handOver(home, 3);
  expect(told).toBeGreaterThan(20);
});

it.each(['the supervisor', 'the command'])('a sequencer stays at work when %s is killed in a move', async (killed) => {
  await using home = new Home();
  await home.up(home.spec('handover', SPEC));
  expect(await home.devnet('wait', 'safe:2', '--timeout', '300s')).toMatchObject({ code: 0 });
  const { supervisor } = await home.json<{ supervisor: number }>('status');
  const move = home.start('sequencer', 'move', 'two');
  const ended = new Promise((resolve) => move.on('close', resolve));
  const marker = join(home.env['DEVNET_HOME'] ?? '', 'handover', 'stopped-sequencer');
  await expect.poll(() => existsSync(marker), { interval: 5, timeout: 60_000 }).toBe(true);
  process.kill(killed === 'the command' ? move.pid! : supervisor, 'SIGKILL');
  await ended;
  if (killed === 'the supervisor') expect(await home.devnet('start')).toMatchObject({ code: 0 });
  await expect.poll(() => existsSync(marker), { timeout: 120_000 }).toBe(false);
  const { chains } = await home.json<Status>('status');
  const { number } = chains[0]!.nodes[0]!.heads.unsafe!;
  expect(await home.devnet('wait', `safe:${number + 2}`, '--timeout', '300s')).toMatchObject({ code: 0 });
  expect(await home.devnet('check')).toMatchObject({ code: 0 });
  expect(chains[0]!.nodes.filter(({ role }) => role === 'sequencer')).toHaveLength(1);
});
