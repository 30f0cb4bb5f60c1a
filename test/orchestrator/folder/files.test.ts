import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFiles } from '../../../src/orchestrator/folder/files.ts';
import { present } from '../../../src/protocol/present.ts';
import { privateFolder, writePrivate } from '../../../src/system/files/folder.ts';
import { planOf } from '../plan/planned.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

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

it('the task and the start fail if its data cannot be written', async () => {
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

it('L1 that resumes from its state does not wait for a genesis file that it no longer reads', async () => {
  using temporary = temporaryHome();
  const plan = planOf('{}', { home: temporary.home });
  const l1 = present(
    plan.tasks.find(({ id }) => id === 'l1'),
    'L1',
  );
  const genesis = plan.files.filter(({ path }) => l1.reads.includes(path));
  expect(genesis).toHaveLength(1);
  const never = { content: () => new Promise<string>(() => undefined) };
  const waits = startFiles(genesis, plan, never);
  const free: string[] = [];
  void waits.forTask(l1).then(() => free.push('without a state'));
  await turn();
  const state = present(l1.resume, 'resume').file;
  const resumes = startFiles(genesis, plan, never, {
    async place({ id }) {
      if (id !== 'l1-beacon') return;
      privateFolder(dirname(state));
      writePrivate(state, '{}', 0o600);
    },
  });
  await resumes.forTask(l1);
  expect(free).toEqual([]);
});

it.each([
  ['is gone when it is copied', (home: string) => [{ from: join(home, 'gone'), head: '' }]],
  ['is gone three times', (home: string) => Array.from({ length: 3 }, () => ({ from: join(home, 'gone'), head: '' }))],
])('a file is rendered again if its cached text %s', async (_, copies) => {
  using temporary = temporaryHome();
  const plan = planOf('{}', { home: temporary.home });
  const genesis = present(
    plan.files.find(({ content }) => content.kind === 'l2-genesis'),
    'genesis of L2',
  );
  const contents = [...copies(temporary.home), '{}'];
  const render = { content: async () => present(contents.shift(), 'content') };
  await startFiles([genesis], plan, render).all;
  expect(readFileSync(genesis.path, 'utf8')).toBe('{}');
});
