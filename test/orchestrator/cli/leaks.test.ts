import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Tiny } from './tiny.ts';

it.skipIf(process.platform !== 'linux')('restarts of a node leave the supervisor no open file', async () => {
  await using tiny = new Tiny();
  expect(await tiny.run('up', tiny.spec('again'), '-d')).toMatchObject({ code: 0 });
  const { supervisor } = await tiny.json<{ supervisor: number }>('status');
  const open = () => readdirSync(`/proc/${supervisor}/fd`).length;
  const restart = async () => {
    const { code, stderr } = await tiny.run('node', 'restart', 'verifier.el');
    expect(code, stderr).toBe(0);
  };
  // The first one loads code.
  await restart();
  const before = open();
  for (let time = 0; time < 10; time++) await restart();
  // Connections of commands that have ended are closed a moment later.
  await expect.poll(open, { interval: 20 }).toBeLessThanOrEqual(before);
});
