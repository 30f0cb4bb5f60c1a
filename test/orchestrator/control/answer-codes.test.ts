import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlClient, connectControl } from '../../../src/orchestrator/control/client.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, temporaryHome } from '../supervisor/fixture-plan.ts';
import { Supervised } from '../supervisor/supervised.ts';

const CHANGES: readonly Parameters<ControlClient['ask']>[0][] = [
  { method: 'node', action: 'stop', tasks: ['main/batcher'] },
  { method: 'clock', action: 'pause' },
  { method: 'warp', to: 2_000_000_000_000 },
  { method: 'jump', to: 2_000_000_000_000, rate: 1 },
  { method: 'snapshot', action: 'take', folder: '/nowhere' },
];

async function controlOf(home: string, name: string): Promise<ControlClient> {
  const control = await connectControl(pathsOf(home, name).control);
  if (control === undefined) throw new Error('no supervisor listens');
  return control;
}

describe('the supervisor of a network that starts', () => {
  const folder = temporaryHome();
  const supervised = new Supervised(folder.home);
  let control: ControlClient;
  beforeAll(async () => {
    const never = { ready: [{ kind: 'log', pattern: 'never', description: 'is up' }] } as const;
    await supervised
      .up(fixturePlan(folder.home, 'early', [{ port: await freePort() }], { 'main/batcher': never }))
      .until(() => supervised.events.some((event) => event.event === 'task' && event.phase === 'starting'));
    control = await controlOf(folder.home, 'early');
  });
  afterAll(async () => {
    control.close();
    await supervised[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it.each(CHANGES)('refuses the change "$method" with the code `starting`', async (request) => {
    await expect(control.ask(request)).rejects.toMatchObject({ code: 'starting', message: /still starting/ });
  });

  it('answers requests that only read', async () => {
    await expect(control.ask({ method: 'clock', action: 'read' })).resolves.toMatchObject({ isPaused: false });
    await expect(control.ask({ method: 'state' })).resolves.toMatchObject({ state: { phase: 'starting' } });
  });
});

/** Bytes whose copy takes longer than a request. */
const LARGE_BYTES = 128 * 1024 * 1024;

it('the supervisor of a ready network names why it refuses, with data', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  const plan = fixturePlan(folder.home, 'ready', [{ port: await freePort() }], {
    'main/batcher': {},
  });
  const tasks = plan.tasks.map((task) => {
    const cwd = join(plan.home, 'data', task.kind);
    mkdirSync(cwd, { recursive: true });
    // A snapshot of nothing would be over before the second one is asked for.
    if (task.id === 'main/batcher') writeFileSync(join(cwd, 'large'), Buffer.alloc(LARGE_BYTES));
    return { ...task, command: { ...task.command, cwd } };
  });
  await supervised.up({ ...plan, tasks }).phase('ready');
  const control = await controlOf(folder.home, 'ready');
  const take = (name: string) =>
    control.ask({ method: 'snapshot', action: 'take', folder: join(folder.home, name) }).catch((error) => error);
  expect(await Promise.all([take('one'), take('two')])).toMatchObject([
    { at: expect.any(Number) },
    { code: 'busy', data: { work: 'a snapshot' } },
  ]);
  const foreign = { method: 'snapshot', action: 'revert', folder: '/nowhere', at: 1, spec: 'another' } as const;
  await expect(control.ask(foreign)).rejects.toMatchObject({ code: 'snapshot', message: /spec .* was changed/ });
  await expect(control.ask({ method: 'warp', to: 1 })).rejects.toMatchObject({ code: 'warp' });
  const unknown = control.ask({ method: 'node', action: 'stop', tasks: ['nobody'] });
  const ids = plan.tasks.map(({ id }) => id);
  const target = { code: 'target', message: /unknown task nobody/, data: { task: 'nobody', tasks: ids } };
  await expect(unknown).rejects.toMatchObject(target);
  const restart = (more: object) =>
    control.ask({ method: 'node', action: 'restart', tasks: ['main/batcher'], ...more }).catch((error) => error);
  const change = (next: Plan) => ({ change: { plan: next, spec: '{}', basis: '' } });
  const other = plan.tasks.find(({ id }) => id !== 'main/batcher')?.id;
  expect(await restart({ rewind: [{ task: 'main/batcher', block: 1 }] })).toMatchObject({
    code: 'rewind',
    data: { task: 'main/batcher' },
  });
  expect(await restart({ empty: [other] })).toMatchObject({ code: 'request', data: { task: other } });
  expect(await restart(change({ ...plan, tasks, devnet: 'another' }))).toMatchObject({ code: 'request' });
  expect(await restart(change({ ...plan, tasks }))).toMatchObject({ code: 'conflict', data: {} });
  expect(await restart({ tasks: [] })).toMatchObject({ code: 'request', message: /^malformed request: tasks/ });
  control.close();
});
