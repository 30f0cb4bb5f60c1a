import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Command } from '../../../src/orchestrator/plan/plan.ts';
import { OutOfTime } from '../../../src/orchestrator/processes/launch.ts';
import { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import { ForbiddenTransition, NEXT_PHASES } from '../../../src/orchestrator/processes/phases.ts';
import type { TaskPhase } from '../../../src/orchestrator/state/state.ts';
import type { TaskOptions } from '../supervisor/fixture-plan.ts';
import { ScriptedNetwork, SLOW } from './scripted-network.ts';

const PHASES = Object.keys(NEXT_PHASES) as TaskPhase[];
const ALLOWED = PHASES.flatMap((from) => NEXT_PHASES[from].map((to) => `${from} → ${to}`));

/** Transitions that the scenarios below have made. */
const transitions = new Set<string>();
const open: ScriptedNetwork[] = [];

function scripted(tasks: Readonly<Record<string, TaskOptions>>): ScriptedNetwork {
  const network = new ScriptedNetwork(tasks);
  open.push(network);
  return network;
}

afterEach(async () => {
  for (const network of open.splice(0)) {
    await network[Symbol.asyncDispose]();
    for (const transition of network.transitions) transitions.add(transition);
    expect(network.events.filter(({ event }) => event === 'notice')).toEqual([]);
  }
});

const node = (
  network: ScriptedNetwork,
  action: 'stop' | 'start' | 'restart' | 'pause' | 'resume',
  ...tasks: string[]
) => network.act({ id: 1, method: 'node', action, tasks });

const phaseIs = (network: ScriptedNetwork, task: string, phase: TaskPhase) =>
  vi.waitFor(() => expect(network.task(task).phase).toBe(phase), { timeout: 20_000, interval: 2 });

const command = (argv: string): Command => ({ argv: [argv], cwd: '/', env: {} });
const problem = { subject: 'one', what: 'stands still', because: null, since: 0 };
const LATE: TaskOptions = { late: true };
const RETRIES: TaskOptions = { onExit: 'restart' };
const BAD_FILES: TaskOptions = { prepare: [command('false')] };

describe('a task', () => {
  it('is refused each change of phase that the table does not have, and keeps its phase', () => {
    const [task] = scripted({ one: {} }).plan.tasks;
    const at = (phase: TaskPhase): LiveTask => {
      const queue: (readonly TaskPhase[])[] = [['waiting']];
      for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
        const last = path.at(-1)!;
        if (last !== phase) {
          for (const next of NEXT_PHASES[last]) if (!path.includes(next)) queue.push([...path, next]);
          continue;
        }
        const live = new LiveTask(task!);
        for (const each of path.slice(1)) live.enter(each);
        return live;
      }
      throw new Error(`no way leads to ${phase}`);
    };
    for (const from of PHASES)
      for (const to of PHASES) {
        const live = at(from);
        if (NEXT_PHASES[from].includes(to)) live.enter(to, 'why');
        else expect(() => live.enter(to, 'why')).toThrow(ForbiddenTransition);
        expect([live.phase, live.detail]).toEqual(NEXT_PHASES[from].includes(to) ? [to, 'why'] : [from, undefined]);
      }
  });

  it('keeps its phase, and a notice reports the defect, when a forbidden change is recorded', async () => {
    const network = scripted({ one: {} });
    network.record.set(network.task('one'), 'paused');
    expect(network.events.splice(0)).toEqual([
      {
        event: 'notice',
        text: 'one stays waiting: a task that is waiting cannot be paused next; this is a defect of devnet, report it',
      },
    ]);
    expect(network.task('one').phase).toBe('waiting');
  });
});

describe('a network makes each transition of the table when', () => {
  it('a task starts, has problems, is paused, stopped and started', async () => {
    const network = scripted({ one: { prepare: [command('true'), command('true')] } });
    await network.start();
    network.record.problems([problem]);
    network.record.problems([]);
    await node(network, 'pause', 'one');
    await node(network, 'resume', 'one');
    network.record.problems([problem]);
    await node(network, 'pause', 'one');
    await node(network, 'stop', 'one');
    await network.network.end([network.task('one')], AbortSignal.abort());
    await node(network, 'start', 'one');
    network.record.problems([problem]);
    await node(network, 'stop', 'one');
    expect(network.transitions.slice(-2)).toEqual(['unhealthy → stopping', 'stopping → stopped']);
  });

  it.each([
    { onExit: 'fail', next: 'failed' },
    { onExit: 'restart', next: 'restarting' },
  ] as const)('ready, unhealthy and paused tasks exit (onExit: $onExit)', async ({ onExit, next }) => {
    const network = scripted(Object.fromEntries(['one', 'two', 'three'].map((name) => [name, { onExit }])));
    await network.start();
    network.record.problems([problem]);
    await node(network, 'pause', 'two');
    for (const name of ['one', 'two', 'three']) {
      const before = `${network.task(name).phase} → ${next}`;
      network.exit(name);
      await vi.waitFor(() => expect(network.transitions).toContain(before));
      await phaseIs(network, name, onExit === 'restart' ? 'ready' : 'failed');
    }
  });

  it('ready, unhealthy, paused, starting and preparing tasks are stopped after their exit', async () => {
    const version = command('version');
    const late = { ...LATE, version };
    const network = scripted({
      ...{ one: { version }, two: { version }, three: { version } },
      ...{ four: { ...late, ...SLOW }, five: { ...late, prepare: [command('long')] } },
    });
    await network.start();
    void network.startLate();
    await phaseIs(network, 'four', 'starting');
    await phaseIs(network, 'five', 'preparing');
    network.record.problems([problem]);
    await node(network, 'pause', 'two');
    const { promise, resolve } = Promise.withResolvers<undefined>();
    network.version = promise;
    const names = ['one', 'two', 'three', 'four', 'five'];
    for (const name of names) network.exit(name);
    await vi.waitFor(() => expect(names.every((name) => network.task(name).exit !== undefined)).toBe(true));
    await node(network, 'stop', ...names);
    resolve(undefined);
    expect(network.transitions.slice(-5).toSorted()).toEqual(
      ['paused', 'preparing', 'ready', 'starting', 'unhealthy'].map((from) => `${from} → stopped`),
    );
  });

  it.each([{}, RETRIES])('late tasks exit while they start (%o)', async (options) => {
    const network = scripted({
      one: { ...LATE, ...SLOW, ...options },
      two: { ...LATE, ...BAD_FILES, ...options },
    });
    await network.start();
    void network.startLate();
    await phaseIs(network, 'one', 'starting');
    network.exit('one');
    const next = options === RETRIES ? 'restarting' : 'failed';
    for (const from of ['starting', 'preparing'])
      await vi.waitFor(() => expect(network.transitions).toContain(`${from} → ${next}`));
  });

  it('late tasks are stopped while they wait and start, and do not start any more', async () => {
    const network = scripted({
      one: { ...LATE, ...SLOW },
      two: { ...LATE, prepare: [command('long')] },
      three: { ...LATE, needs: [{ task: 'one', until: 'ready' }] },
    });
    await network.start();
    const late = network.startLate();
    await phaseIs(network, 'one', 'starting');
    await phaseIs(network, 'two', 'preparing');
    network.up('one');
    await node(network, 'stop', 'three', 'one', 'two');
    await late;
    expect(network.transitions.slice(-5).toSorted()).toEqual([
      ...['preparing → stopping', 'starting → stopping'],
      ...['stopping → stopped', 'stopping → stopped', 'waiting → stopped'],
    ]);
  });

  it('tasks that devnet does not start fail, are stopped and start', async () => {
    const external: TaskOptions = { launch: 'external' };
    const manual: TaskOptions = { launch: 'manual' };
    const network = scripted({ one: external, two: manual, three: { ...manual, prepare: [command('true')] } });
    network.refuses = true;
    await expect(network.start()).rejects.toThrow('refused');
    network.refuses = false;
    await node(network, 'start', 'one', 'two', 'three');
    await node(network, 'restart', 'one', 'two', 'three');
    expect(network.transitions).toContain('stopped → manual');
  });

  it('tasks that devnet does not start wait for a user too long, or are stopped', async () => {
    const manual: TaskOptions = { launch: 'manual', ...SLOW };
    const network = scripted({ one: manual, two: { ...manual, ...LATE, ...RETRIES }, three: { ...manual, ...LATE } });
    const starting = new AbortController();
    const start = network.network.start(true, starting.signal);
    for (const name of ['one', 'two', 'three']) await phaseIs(network, name, 'manual');
    await node(network, 'stop', 'three');
    starting.abort(new OutOfTime(1));
    await expect(start).rejects.toThrow('not ready after 1 s');
    expect(network.transitions).toEqual(expect.arrayContaining(['manual → failed', 'manual → stopped']));
    await vi.waitFor(() => expect(network.transitions).toContain('manual → restarting'));
  });

  it('tasks that devnet does not start come back by themselves', async () => {
    const network = scripted({
      one: { launch: 'external', ...LATE, ...RETRIES },
      two: { launch: 'manual', ...LATE, ...RETRIES },
    });
    network.refuses = true;
    await network.start();
    await network.startLate();
    network.refuses = false;
    for (const name of ['one', 'two']) await phaseIs(network, name, 'ready');
  });

  it('a task that a user has started answers at once', async () => {
    const network = scripted({ one: { launch: 'external' } });
    await network.start();
    expect(network.transitions).toEqual(['waiting → ready']);
  });

  it('starts are refused, a process comes too late, and starts succeed', async () => {
    const network = scripted({ one: {}, two: { prepare: [command('true')] }, three: SLOW });
    network.refuses = true;
    await expect(network.start()).rejects.toThrow('refused');
    for (const action of ['start', 'restart'] as const)
      await expect(node(network, action, 'one')).rejects.toThrow('refused');
    network.refuses = false;
    await node(network, 'start', 'one', 'two');
    const tooLate = AbortSignal.abort(new OutOfTime(1));
    const three = network.task('three');
    const starting = new AbortController();
    const start = network.network.restart([three], () => three.task, starting.signal);
    await phaseIs(network, 'three', 'starting');
    starting.abort(tooLate.reason);
    await expect(start).rejects.toThrow('not ready after 1 s');
    await node(network, 'stop', 'one', 'three');
    await node(network, 'start', 'one');
  });

  it('a process that was not ready in time is ended before its task starts again', async () => {
    const network = scripted({ one: SLOW });
    const starting = new AbortController();
    const start = network.network.start(true, starting.signal);
    await phaseIs(network, 'one', 'starting');
    const first = network.task('one').running;
    starting.abort(new OutOfTime(1));
    await expect(start).rejects.toThrow('not ready after 1 s');
    const again = node(network, 'start', 'one');
    await phaseIs(network, 'one', 'starting');
    network.up('one');
    await again;
    expect(network.transitions.slice(-4)).toEqual([
      'failed → stopping',
      'stopping → stopped',
      'stopped → starting',
      'starting → ready',
    ]);
    await expect(first?.exited).resolves.toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('an end fails, and a start follows it', async () => {
    const network = scripted({ one: {}, two: { prepare: [command('true')] }, three: {} });
    await network.start();
    network.resists = true;
    await node(network, 'stop', 'one', 'two', 'three');
    await node(network, 'restart', 'one', 'two');
    network.refuses = true;
    await expect(node(network, 'restart', 'three')).rejects.toThrow('refused');
    expect(network.transitions.slice(-2)).toEqual(['stopping → stopping', 'stopping → failed']);
  });

  it('a task ends too often, and another one needs it', async () => {
    const network = scripted({
      one: { ...LATE, ...RETRIES },
      two: { ...LATE, needs: [{ task: 'one', until: 'ready' }] },
    });
    network.refuses = true;
    await network.start();
    void network.startLate();
    await phaseIs(network, 'one', 'failed');
    await node(network, 'stop', 'two');
    expect(network.transitions.slice(-3)).toEqual(['restarting → failed', 'waiting → blocked', 'blocked → stopped']);
  });
});

it('the scenarios make every transition that the table has', () => {
  expect([...transitions].toSorted()).toEqual(ALLOWED.toSorted());
});
