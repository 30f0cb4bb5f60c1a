import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFiles } from '../../../src/orchestrator/run/files.ts';
import { planOf } from '../plan/planned.ts';

it('a task waits for its own data, and L1 for those of the beacon node, which hold its state', async () => {
  const plan = planOf('{}');
  const places = new Map(plan.tasks.map(({ id }) => [id, Promise.withResolvers<void>()]));
  const render = { content: () => Promise.reject(new Error('no file is rendered')) };
  const files = startFiles([], plan, render, { place: ({ id }) => places.get(id)?.promise ?? Promise.resolve() });
  const free = new Set<string>();
  for (const task of plan.tasks) void files.forTask(task).then(() => free.add(task.id));
  const freed = async (id: string) => {
    places.get(id)?.resolve();
    await turn();
    return [...free];
  };
  expect(await freed('l1')).toEqual([]);
  expect(await freed('main/verifier/el')).toEqual(['main/verifier/el']);
  expect(await freed('l1-beacon')).toEqual(['main/verifier/el', 'l1-beacon', 'l1']);
  for (const { id } of plan.tasks) places.get(id)?.resolve();
  await files.all;
});

it('data that cannot be placed fail the task and the whole', async () => {
  const plan = planOf('{}');
  const render = { content: () => Promise.reject(new Error('no file is rendered')) };
  const files = startFiles([], plan, render, {
    place: ({ id }) => (id === 'l1' ? Promise.reject(new Error('ENOSPC')) : Promise.resolve()),
  });
  const l1 = plan.tasks.find(({ id }) => id === 'l1');
  await expect(l1 && files.forTask(l1)).rejects.toThrow('ENOSPC');
  await expect(files.all).rejects.toThrow('ENOSPC');
  await files.stop();
});
