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
  // On a busy machine the move can be over before it is seen. It is killed after its end then.
  let isOver = false;
  void ended.then(() => (isOver = true));
  await expect.poll(() => isOver || existsSync(marker), { interval: 5, timeout: 120_000 }).toBe(true);
  if (killed === 'the supervisor') process.kill(supervisor, 'SIGKILL');
  else move.kill('SIGKILL');
  await ended;
  if (killed === 'the supervisor') expect(await home.devnet('start')).toMatchObject({ code: 0 });
  await expect.poll(() => existsSync(marker), { timeout: 120_000 }).toBe(false);
  const { chains } = await home.json<Status>('status');
  const { number } = chains[0]!.nodes[0]!.heads.unsafe!;
  expect(await home.devnet('wait', `safe:${number + 2}`, '--timeout', '300s')).toMatchObject({ code: 0 });
  await home.agrees();
  expect(chains[0]!.nodes.filter(({ role }) => role === 'sequencer')).toHaveLength(1);
});
