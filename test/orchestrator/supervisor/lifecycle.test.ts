import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectControl } from '../../../src/orchestrator/control/client.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import type { State } from '../../../src/orchestrator/state/state.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, temporaryHome } from './fixture-plan.ts';
import { leftovers, Supervised } from './supervised.ts';

it('the supervisor runs a plan until it is ready, reports its state, and leaves nothing after down', async () => {
  using folder = temporaryHome();
  const paths = pathsOf(folder.home, 'one');
  const plan = fixturePlan(folder.home, 'one', [{ port: await freePort() }, { port: await freePort() }], {
    sleeper: {},
  });
  await using supervised = new Supervised(folder.home);
  await supervised.up(plan).phase('ready');
  const control = await connectControl(paths.control);
  const { state } = await control!.ask<{ state: State }>({ method: 'state' });
  expect(state).toMatchObject({ name: 'one', phase: 'ready' });
  expect(Object.keys(state.stamps)).toEqual(expect.arrayContaining(['parsed', 'spawned', 'answering', 'agreed']));
  expect(Object.values(state.tasks).map(({ phase }) => phase)).toEqual(['ready', 'ready', 'ready']);
  expect(statSync(join(paths.folder, 'genesis', 'secret.txt')).mode & 0o777).toBe(0o600);
  expect(statSync(paths.folder).mode & 0o777).toBe(0o700);
  expect(JSON.parse(readFileSync(paths.clock, 'utf8'))).toEqual({
    ...state.clock,
    isPaused: false,
    socket: paths.clockSocket,
  });
  expect(leftovers(folder.home).length).toBeGreaterThanOrEqual(5);
  expect(await control!.ask({ method: 'down', keepData: false })).toEqual({ killed: [], errors: [] });
  expect((await supervised.end()).code).toBe(0);
  expect(leftovers(folder.home)).toEqual([]);
  expect([paths.folder, paths.lock, paths.control].filter((path) => existsSync(path))).toEqual([]);
});

it('the supervisor sends a rollup node the head of its own execution client until it is accepted', async () => {
  using folder = temporaryHome();
  const nodes = [{ port: await freePort() }, { port: await freePort(), flags: ['--waits'] }];
  const plan = fixturePlan(folder.home, 'first', nodes);
  const url = `http://127.0.0.1:${nodes[1]!.port}`;
  const tasks = plan.tasks.map((task) =>
    task.node === 'node-1' ? { ...task, firstBlock: { rpc: url, method: 'admin_postUnsafePayload', head: url } } : task,
  );
  await using supervised = new Supervised(folder.home);
  await supervised.up({ ...plan, tasks }).phase('ready');
  supervised.order({ kind: 'interrupt' });
  await supervised.end();
});

it('the supervisor starts proposers when the network is ready, and is ready without them', async () => {
  using folder = temporaryHome();
  const never = { kind: 'tcp' as const, host: '127.0.0.1', port: await freePort(), description: 'answers' };
  const plan = fixturePlan(folder.home, 'late', [{ port: await freePort() }], {
    proposer: { kind: 'proposer', ready: [never] },
  });
  await using supervised = new Supervised(folder.home);
  await supervised.up(plan).phase('ready');
  await supervised.until(() => supervised.events.some((event) => event.event === 'task' && event.task === 'proposer'));
  const phases = supervised.events.map((event) =>
    event.event === 'task' ? `${event.task} ${event.phase}` : event.event === 'phase' ? event.phase : event.event,
  );
  expect(phases.indexOf('proposer starting')).toBeGreaterThan(phases.indexOf('ready'));
  expect(phases).not.toContain('degraded');
  supervised.order({ kind: 'interrupt' });
  expect((await supervised.end()).code).toBe(130);
  expect(leftovers(folder.home)).toEqual([]);
});

it.each([
  { onExit: 'fail' as const, phase: 'failed' },
  { onExit: 'ignore' as const, phase: 'degraded' },
])('a proposer that ends while it starts makes the network $phase if onExit is $onExit', async ({ onExit, phase }) => {
  using folder = temporaryHome();
  const plan = fixturePlan(folder.home, onExit, [{ port: await freePort() }], {
    proposer: {
      kind: 'proposer',
      onExit,
      argv: ['/bin/false'],
      ready: [{ kind: 'tcp', host: '127.0.0.1', port: await freePort(), description: 'answers' }],
    },
  });
  await using supervised = new Supervised(folder.home);
  await supervised.up(plan).phase('ready');
  await supervised.phase(phase);
  const failure = supervised.events.find((event) => event.event === 'failure');
  expect(failure).toMatchObject({ failure: { task: 'proposer', reason: 'exited' } });
  if (phase === 'degraded') supervised.order({ kind: 'interrupt' });
  await supervised.end();
  expect(leftovers(folder.home)).toEqual([]);
});
