import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectControl } from '../../../src/orchestrator/control/client.ts';
import type { StateAnswer } from '../../../src/orchestrator/control/supervisor-protocol.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Event } from '../../../src/orchestrator/state/events.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, program, temporaryHome } from '../supervisor/fixture-plan.ts';
import { Supervised } from '../supervisor/supervised.ts';

describe('the control socket', () => {
  const folder = temporaryHome();
  const { control: path } = pathsOf(folder.home, 'socket');
  const supervised = new Supervised(folder.home);
  let plan: Plan;
  let pids: Record<string, number | undefined>;
  beforeAll(async () => {
    plan = fixturePlan(folder.home, 'socket', [{ port: await freePort() }], { 'main/batcher': {} });
    await supervised.up(plan).phase('ready');
    pids = await processes();
    expect(Object.values(pids).every((pid) => pid !== undefined)).toBe(true);
  });
  afterAll(async () => {
    await supervised[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** Returns the process of every task, as the supervisor reports it. */
  async function processes(): Promise<Record<string, number | undefined>> {
    const control = await connectControl(path);
    if (control === undefined) throw new Error('no supervisor listens');
    const { state } = await control.ask<StateAnswer>({ method: 'state' }, 10_000);
    control.close();
    expect(state.phase).toBe('ready');
    return Object.fromEntries(Object.entries(state.tasks).map(([id, task]) => [id, task.process?.pid]));
  }

  async function open(): Promise<Socket> {
    const socket = connect(path);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Returns the first line of the answer, undefined if the connection is closed without one. */
  async function reply(bytes: string | Uint8Array): Promise<{ id: number; error?: string } | undefined> {
    const socket = await open();
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.write(bytes);
    while (!text.includes('\n') && !socket.closed) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.destroy();
    return text.includes('\n') ? JSON.parse(text.slice(0, text.indexOf('\n'))) : undefined;
  }

  const restart = () => ({ id: 9, method: 'node', action: 'restart', tasks: ['main/batcher'] });

  it.each([
    ['null', 0, 'malformed request'],
    ['[]', 0, 'malformed request'],
    ['"state"', 0, 'malformed request'],
    ['{"id":7}', 7, 'method'],
    ['{"id":7,"method":"frobnicate"}', 7, 'method'],
    ['{"id":"7","method":"state"}', 0, 'id'],
    ['{"id":7,"method":"state","more":1}', 7, 'more'],
    ['{"id":7,"method":"down"}', 7, 'keepData'],
    ['{"id":7,"method":"node","action":"restart"}', 7, 'tasks'],
    ['{"id":7,"method":"node","action":"restart","tasks":[]}', 7, 'tasks'],
    ['{"id":7,"method":"node","action":"explode","tasks":["main/batcher"]}', 7, 'action'],
    ['{"id":7,"method":"node","action":"stop","tasks":["main/batcher","nobody"]}', 7, 'nobody'],
    ['not JSON', 0, 'JSON'],
  ])('answers %s with what is wrong, and stops nothing', async (text, id, description) => {
    expect(await reply(`${text}\n`)).toMatchObject({ id, error: expect.stringContaining(description) });
    expect(await processes()).toEqual(pids);
  });

  it('refuses a malformed restart before it stops a process', async () => {
    const [task] = plan.tasks.filter(({ id }) => id === 'main/batcher');
    const change = (next: unknown) => ({ change: { plan: next, spec: '{}', basis: '' } });
    for (const more of [
      { change: null },
      change(null),
      change({}),
      change({ ...plan, tasks: [{ ...task, command: null }] }),
      change({ ...plan, files: [{}] }),
      change({ ...plan, devnet: 'another' }),
      change({ ...plan, tasks: [task] }),
      // Planned from another spec than the one in force.
      change(plan),
      { rewind: [{ task: 'main/batcher', block: 1 }] },
      { rewind: [{ task: 'main/batcher', block: -1 }] },
      { empty: ['main/node-0/el'] },
    ]) {
      const answer = await reply(`${JSON.stringify({ ...restart(), ...more })}\n`);
      expect(answer, JSON.stringify(more).slice(0, 80)).toMatchObject({ id: 9, error: expect.any(String) });
      expect(await processes()).toEqual(pids);
    }
  });

  it('survives any bytes and any JSON', async () => {
    const line = fc
      .oneof(
        fc.json(),
        fc.record(
          {
            id: fc.anything(),
            method: fc.oneof(fc.constantFrom('state', 'node', 'events'), fc.anything()),
            action: fc.oneof(fc.constantFrom('restart', 'stop', 'kill'), fc.anything()),
            tasks: fc.oneof(fc.array(fc.anything()), fc.anything()),
            change: fc.anything(),
            rewind: fc.anything(),
            empty: fc.anything(),
          },
          { requiredKeys: [] },
        ),
      )
      .map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 4096 }),
      line,
      fc.array(line).map((lines) => lines.join('')),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        const socket = await open();
        const flushed = new Promise((done) => socket.write(sent, done));
        await flushed;
        socket.destroy();
        expect(await processes()).toEqual(pids);
      }),
      { numRuns: 150 },
    );
  });

  it('closes a connection that does not read its answers', async () => {
    const socket = await open();
    socket.pause();
    let isClosed = false;
    socket.once('close', () => (isClosed = true));
    const few = `${JSON.stringify({ id: 1, method: 'state' })}\n`.repeat(8);
    for (let rounds = 0; !isClosed && rounds < 20_000; rounds++) {
      socket.write(few);
      // The answer on another connection says that those before it were given.
      expect(await processes()).toEqual(pids);
    }
    expect(isClosed).toBe(true);
  });

  it.each([
    ['a request without an end', 'x'.repeat(1 << 20)],
    ['a thousand requests at once', `${JSON.stringify({ id: 1, method: 'state' })}\n`.repeat(1000)],
  ])('closes a connection that sends %s', async (_, piece) => {
    const socket = await open();
    const closed = new Promise((done) => socket.once('close', done));
    while (!socket.destroyed)
      if (!socket.write(piece)) await Promise.race([new Promise((done) => socket.once('drain', done)), closed]);
    await closed;
    expect(await processes()).toEqual(pids);
  });

  it('bounds its connections, and serves again when they are gone', async () => {
    const many = await Promise.all(Array.from({ length: 100 }, open));
    await Promise.all(
      many.slice(40).map((socket) => socket.closed || new Promise((done) => socket.once('close', done))),
    );
    for (const socket of many) socket.destroy();
    await expect.poll(() => processes().catch(() => undefined)).toEqual(pids);
  });
});

it('a change during which the network fails is answered with the failure', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  const resists = { argv: [program('ignores-sigterm.sh')], stop: { signal: 'SIGTERM', graceMs: 3000 } } as const;
  const plan = fixturePlan(folder.home, 'broken', [{ port: await freePort() }], { 'main/batcher': resists });
  await supervised.up(plan).phase('ready');
  const control = await connectControl(pathsOf(folder.home, 'broken').control);
  const restart = control?.ask({ method: 'node', action: 'restart', tasks: ['main/batcher'] });
  const answer = expect(restart).rejects.toThrow(/main\/node-0\/el \(fixture\): .*SIGKILL/);
  const isStopping = (event: Event) =>
    event.event === 'task' && event.task === 'main/batcher' && event.phase === 'stopping';
  await supervised.until(() => supervised.events.some(isStopping));
  const node = supervised.events.find(
    (event) => event.event === 'task' && event.task === 'main/node-0/el' && event.pid,
  );
  process.kill(node?.event === 'task' ? (node.pid ?? 0) : 0, 'SIGKILL');
  await answer;
});

it('a change that fails is undone when every other start has ended, so that each process runs once', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  const shell = (script: string) => ({ argv: ['/bin/sh', '-c', script], cwd: folder.home, env: {} });
  const plan = fixturePlan(folder.home, 'undone', [{ port: await freePort() }], {
    // Its preparation goes on when it is told to end, and succeeds.
    'main/batcher': { ...shell('exec sleep 1000'), prepare: [shell("trap '' TERM; sleep 0.3")] },
  });
  await supervised.up(plan).phase('ready');
  const next = {
    ...plan,
    tasks: plan.tasks.map((task) => (task.kind === 'el' ? { ...task, command: shell('exit 9') } : task)),
  };
  const change = { plan: next, spec: '{}', basis: createHash('sha256').update('{}').digest('hex') };
  const control = await connectControl(pathsOf(folder.home, 'undone').control);
  const restart = control?.ask({
    method: 'node',
    action: 'restart',
    tasks: ['main/node-0/el', 'main/batcher'],
    change,
  });
  await expect(restart).rejects.toThrow(/the change was not kept: .* run as before/);
  void control?.ask({ method: 'down', keepData: false }).catch(() => undefined);
  await supervised.end();
  const starts = supervised.events.filter(
    (event) => event.event === 'task' && event.task === 'main/batcher' && event.phase === 'starting',
  );
  expect(starts).toHaveLength(2);
});
