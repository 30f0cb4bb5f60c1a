import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import type { PortRequest } from '../../../src/orchestrator/plan/ports.ts';
import { allocatePorts, findPorts } from '../../../src/orchestrator/ports/allocate.ts';
import { releasePorts, reservationsOf } from '../../../src/orchestrator/ports/reservations.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { STATE_SCHEMA, type State, writeState } from '../../../src/orchestrator/state/state.ts';
import { resume } from '../../../src/orchestrator/supervisor/resume.ts';
import { portIsFree } from '../../../src/system/net/ports.ts';
import { identify } from '../../../src/system/process/identity.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, temporaryHome } from '../supervisor/fixture-plan.ts';
import { Supervised } from '../supervisor/supervised.ts';

const self = identify(process.pid)!;
const ghost = { ...self, pid: 999_999 };

function request(key: string, preferred: number, policy: PortRequest['policy'] = 'preferred'): PortRequest {
  return { key, task: key, name: 'http', host: '127.0.0.1', transport: 'tcp', preferred, policy };
}

function endedState(name: string, phase: State['phase'] = 'stopped'): State {
  return {
    schema: STATE_SCHEMA,
    name,
    phase,
    supervisor: ghost,
    startedAt: 0,
    stamps: {},
    tasks: {},
    orphans: [],
    clock: { at: 0, wall: 0, rate: 1 },
    problems: [],
  };
}

/** Returns a free port and the one after it, which is free too. */
async function twoInARow(): Promise<[number, number]> {
  const port = await freePort();
  return (await portIsFree('127.0.0.1', port + 1)) ? [port, port + 1] : twoInARow();
}

it('a search for ports reserves none, and takes none that the network has, or another network', async () => {
  using folder = temporaryHome();
  const port = await freePort();
  const one = pathsOf(folder.home, 'one');
  // A node that is stopped does not listen on its port.
  const { ports } = await findPorts([request('a', port)], one, new Set([port]));
  expect(ports['a']).toBeGreaterThan(port);
  expect(reservationsOf(one)).toEqual([]);
  await allocatePorts([request('a', port)], pathsOf(folder.home, 'other'), self);
  expect((await findPorts([request('a', port)], one, new Set())).ports['a']).toBeGreaterThan(port);
  const fixed = findPorts([request('a', port, 'fixed')], one, new Set());
  await expect(fixed).rejects.toMatchObject({ code: 'port', message: expect.stringContaining('the devnet other') });
});

it('allocation takes the preferred port, or the next free one with a notice that names the holder', async () => {
  using folder = temporaryHome();
  const server = createServer();
  // Not one that the system chose: connections of other tests take the port after it.
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  try {
    const { ports, notices } = await allocatePorts(
      [request('a', port), request('b', port + 1)],
      pathsOf(folder.home, 'one'),
      self,
    );
    expect(ports['b']).toBe(port + 1);
    expect(ports['a']).toBeGreaterThan(port + 1);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(`port ${port} is taken (process ${process.pid}`);
  } finally {
    server.close();
  }
});

it('allocation names all ports that moved in one notice, by their holders', async () => {
  using folder = temporaryHome();
  const home = folder.home;
  const [first, second, third] = [await freePort(), await freePort(), await freePort()];
  const requests = [request('a', first), request('b', second)];
  await allocatePorts(requests, pathsOf(home, 'one'), self);
  const server = createServer();
  await new Promise<void>((done) => server.listen(third, '127.0.0.1', done));
  try {
    const { ports, notices } = await allocatePorts([...requests, request('c', third)], pathsOf(home, 'two'), self);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(
      `3 ports are taken and move: ${first} (a) to ${ports['a']}, ${second} (b) to ${ports['b']}: the devnet one; ` +
        `${third} (c) to ${ports['c']}: process ${process.pid}`,
    );
  } finally {
    server.close();
  }
});

it('allocation counts the ports that moved when one holder has five or more', async () => {
  using folder = temporaryHome();
  const { home } = folder;
  const requests: PortRequest[] = [];
  for (const key of ['a', 'b', 'c', 'd', 'e']) requests.push(request(key, await freePort()));
  for (const [count, says] of [
    [4, /^4 ports are taken and move: \d+ \(a\) to \d+, .* \(d\) to \d+: the devnet one$/],
    [5, /^5 ports are taken and move: 5 of the devnet one$/],
  ] as const) {
    const asked = requests.slice(0, count);
    await allocatePorts(asked, pathsOf(home, 'one'), self);
    const { notices } = await allocatePorts(asked, pathsOf(home, `beside-${count}`), self);
    expect(notices).toEqual([expect.stringMatching(says)]);
  }
});

it('allocation moves a taken hidden port without a notice', async () => {
  using folder = temporaryHome();
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  try {
    const requests = [request('l1', port, 'hidden'), request('gate', await freePort(), 'fixed')];
    const { ports, notices } = await allocatePorts(requests, pathsOf(folder.home, 'one'), self);
    expect([ports['l1']! > port, ports['gate'], notices]).toEqual([true, requests[1]!.preferred, []]);
  } finally {
    server.close();
  }
});

it('allocation fails for many taken fixed ports (exit 4) in one line that names all, by holder', async () => {
  using folder = temporaryHome();
  const { home } = folder;
  const [first, second, third] = [await freePort(), await freePort(), await freePort()];
  const requests = [request('a', first, 'fixed'), request('b', second, 'fixed')];
  await allocatePorts(requests, pathsOf(home, 'one'), self);
  const server = createServer();
  await new Promise<void>((done) => server.listen(third, '127.0.0.1', done));
  try {
    const all = [...requests, request('c', third, 'fixed')];
    const failure = await allocatePorts(all, pathsOf(home, 'two'), self).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'port', exit: 4, data: { ports: [first, second, third] } });
    const { message } = failure as Error;
    const own3 = `${third} (c): process ${process.pid}`;
    expect(message).toContain(`3 ports are taken: ${first} (a), ${second} (b): the devnet one; ${own3}`);
    expect(message).not.toContain('\n');
  } finally {
    server.close();
  }
});

it('allocation fails for a taken fixed port (exit 4) with its holder, and releases all reservations', async () => {
  using folder = temporaryHome();
  const paths = pathsOf(folder.home, 'one');
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  try {
    const failure = await allocatePorts(
      [request('free', await freePort(), 'fixed'), request('a', port, 'fixed')],
      paths,
      self,
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'port', exit: 4, data: { ports: [port] } });
    expect((failure as Error).message).toContain(`process ${process.pid}`);
    expect(reservationsOf(paths)).toEqual([]);
  } finally {
    server.close();
  }
});

it('20 concurrent networks share no port', async () => {
  using folder = temporaryHome();
  const first = await freePort();
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      allocatePorts(
        [request('a', first), request('b', first + 1), request('c', 0, 'auto')],
        pathsOf(folder.home, `net-${at}`),
        self,
      ),
    ),
  );
  const numbers = all.flatMap(({ ports }) => Object.values(ports));
  expect(new Set(numbers).size).toBe(60);
});

it('a reserved port is refused to other homes, even if no process listens', async () => {
  using here = temporaryHome();
  using there = temporaryHome();
  const port = await freePort();
  const paths = [here, there].map(({ home }) => pathsOf(home, 'same-name'));
  expect((await allocatePorts([request('a', port)], paths[0]!, self)).ports).toEqual({ a: port });
  const { ports, notices } = await allocatePorts([request('a', port)], paths[1]!, self);
  expect(ports['a']).not.toBe(port);
  expect(notices[0]).toContain(`the devnet same-name of the home ${here.home}`);
});

it('allocation takes over the reservations of an ended devnet, and none of a stopped one', async () => {
  using folder = temporaryHome();
  const port = await freePort();
  const before = pathsOf(folder.home, 'before');
  await allocatePorts([request('a', port)], before, ghost);
  const after = pathsOf(folder.home, 'after');
  expect((await allocatePorts([request('a', port)], after, self)).ports).toEqual({ a: port });
  releasePorts(after.home, { name: after.name });
  await allocatePorts([request('a', port)], before, ghost);
  mkdirSync(before.folder);
  writeState(before.state, endedState('before'));
  const { ports, notices } = await allocatePorts([request('a', port)], after, self);
  expect(ports['a']).not.toBe(port);
  expect(notices[0]).toContain('the devnet before');
});

it('a port that moves does not become one of a killed devnet, which can start again', async () => {
  using folder = temporaryHome();
  const [wanted, next] = await twoInARow();
  const killed = pathsOf(folder.home, 'killed');
  await allocatePorts([request('a', next)], killed, ghost);
  mkdirSync(killed.folder);
  writeState(killed.state, endedState('killed', 'ready'));
  const other = pathsOf(folder.home, 'other');
  await allocatePorts([request('b', wanted)], other, self);
  const { ports } = await allocatePorts([request('c', wanted)], pathsOf(folder.home, 'third'), self);
  expect(ports['c']).toBeGreaterThan(next);
  expect((await findPorts([request('d', wanted)], other, new Set([wanted]))).ports['d']).toBeGreaterThan(next);
});

it.each(['preferred', 'fixed'] as const)('a %s port is taken over from a killed devnet', async (policy) => {
  using folder = temporaryHome();
  const port = await freePort();
  const killed = pathsOf(folder.home, 'killed');
  await allocatePorts([request('a', port)], killed, ghost);
  mkdirSync(killed.folder);
  writeState(killed.state, endedState('killed', 'degraded'));
  const { ports } = await allocatePorts([request('b', port, policy)], pathsOf(folder.home, 'after'), self);
  expect(ports).toEqual({ b: port });
  expect(reservationsOf(killed)).toEqual([]);
});

it('a supervisor that ends without an order releases the ports that its command line reserved', async () => {
  using folder = temporaryHome();
  const { process: supervisor } = new Supervised(folder.home);
  const paths = pathsOf(folder.home, 'killed');
  const ports = [await freePort(), await freePort()];
  await allocatePorts(
    ports.map((port) => request(String(port), port)),
    paths,
    identify(supervisor.pid)!,
  );
  const other = pathsOf(folder.home, 'other');
  await allocatePorts([request('c', await freePort())], other, self);
  expect([reservationsOf(paths), reservationsOf(other)].map(({ length }) => length)).toEqual([2, 1]);
  supervisor.endInput();
  await supervisor.exited;
  expect([reservationsOf(paths), reservationsOf(other)].map(({ length }) => length)).toEqual([0, 1]);
});

it('a stopped devnet takes its ports again from its own last supervisor, and none from another devnet', async () => {
  using folder = temporaryHome();
  const paths = pathsOf(folder.home, 'again');
  const plan = fixturePlan(folder.home, 'again', [{ port: await freePort() }], {});
  const port = plan.tasks.flatMap((task) => task.ports.map((each) => each.port))[0]!;
  mkdirSync(paths.folder, { recursive: true });
  writeState(paths.state, endedState('again'));
  const last = new Supervised(folder.home);
  const ending = identify(last.process.pid)!;
  await allocatePorts([request('main/node-0/el:http', port)], paths, ending);
  await resume(paths, plan, self);
  expect(reservationsOf(paths)).not.toEqual([]);
  releasePorts(folder.home, {});
  using elsewhere = temporaryHome();
  await allocatePorts([request('a', port)], pathsOf(elsewhere.home, 'other'), self);
  await expect(resume(paths, plan, self)).rejects.toMatchObject({
    code: 'port',
    exit: 4,
    message: expect.stringContaining(`the devnet other of the home ${elsewhere.home}`),
  });
  last.process.endInput();
  await last.process.exited;
});
