import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { create } from 'tar';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { findNetwork } from '../../../../src/orchestrator/attach/attach.ts';
import { dockerAddress } from '../../../../src/orchestrator/attach/docker/address.ts';
import { sshCommand } from '../../../../src/orchestrator/attach/docker/client.ts';
import { dockerEngine } from '../../../../src/orchestrator/attach/docker/docker.ts';
import { composeText } from '../../../../src/orchestrator/export/compose/compose.ts';
import { EXPORT_PATHS } from '../../../../src/orchestrator/export/export-network.ts';
import { VERSION } from '../../../../src/system/program/common-options.ts';
import { freePort } from '../../../system/free-port.ts';
import { exportText, testIo } from '../../export/exported.ts';

const folder = mkdtempSync(join(tmpdir(), 'docker-'));
const socket = join(folder, 'd.sock');
const env = { ...testIo().env, DOCKER_CONFIG: folder };
const UNITS = 7;

interface Container {
  Id: string;
  State: string;
  Labels: Record<string, string>;
  Ports: object[];
}
let all: Container[];
let containers: Container[];

/** What the daemon says of its part in a swarm, and the services and tasks that it then has. */
let swarm: { LocalNodeState: string; ControlAvailable: boolean };
let services: Service[];
let tasks: object[];

interface Service {
  ID: string;
  Spec: { Labels: Record<string, string>; TaskTemplate: object };
}

/** A daemon as far as `attach` asks it. */
const daemon = createServer(({ url = '' }, response) => {
  const [, id] = /^\/containers\/([^/]+)\/archive\?path=%2Fdevnet$/.exec(url) ?? [];
  if (id !== undefined) return void create({ cwd: folder }, ['devnet']).pipe(response);
  if (/^\/(containers|services)\/main-batcher\/logs/.test(url)) {
    const line = Buffer.from('2026-11-27T15:30:00.5Z batch sent\n');
    const head = Buffer.from([1, 0, 0, 0, 0, 0, 0, line.length]);
    return void response.end(Buffer.concat([head, line]));
  }
  const [, config = ''] = /^\/configs\/(.+)$/.exec(url) ?? [];
  const lists: Readonly<Record<string, unknown>> = {
    info: { Swarm: swarm },
    services,
    tasks,
    configs: { Spec: { Data: Buffer.from(config).toString('base64') } },
  };
  const list = lists[/^\/(\w+)/.exec(url)?.[1] ?? ''];
  if (list !== undefined) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(list));
  if (!url.startsWith('/containers/json')) response.statusCode = 404;
  response.setHeader('content-type', 'application/json').end(JSON.stringify(containers));
});

/** Writes a context as `docker context create` does. */
function writeContext(name: string, host: string, skipsVerify = false): void {
  const at = join(folder, 'contexts', 'meta', createHash('sha256').update(name).digest('hex'));
  mkdirSync(at, { recursive: true });
  const context = { Name: name, Metadata: {}, Endpoints: { docker: { Host: host, SkipTLSVerify: skipsVerify } } };
  writeFileSync(join(at, 'meta.json'), JSON.stringify(context));
}

beforeAll(async () => {
  const { devnet, units, files } = await exportText('{}');
  for (const { path, text } of files.filter(({ secret }) => secret === undefined)) {
    mkdirSync(join(folder, 'devnet'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { services } = parse(composeText(devnet, units, { image: 'i', isExposed: false, ...EXPORT_PATHS }));
  all = Object.entries<{ labels: Record<string, string>; ports?: string[] }>(services).map(([Id, service]) => ({
    Id,
    State: 'running',
    Labels: { ...service.labels, 'com.docker.compose.project': 'devnet-net' },
    Ports: (service.ports ?? []).map((port) => {
      const number = Number(port.split(':').at(-1));
      return { IP: '127.0.0.1', PrivatePort: number, PublicPort: number + 10_000, Type: 'tcp' };
    }),
  }));
  writeContext('here', `unix://${socket}`);
  writeContext('odd', 'npipe:////./pipe/docker_engine');
  daemon.listen(socket);
  await once(daemon, 'listening');
});
afterAll(() => void daemon.close());

beforeEach(() => {
  containers = all;
  swarm = { LocalNodeState: 'inactive', ControlAvailable: false };
  services = [];
  tasks = [];
});

/** Makes the daemon the manager of a swarm that runs a service for each container. */
function runStack(): void {
  swarm = { LocalNodeState: 'active', ControlAvailable: true };
  containers = [];
  services = all.map(({ Id: ID, Labels }) => ({
    ID,
    Spec: {
      Labels: { ...Labels, 'com.docker.stack.namespace': 'devnet-net' },
      TaskTemplate: {
        ContainerSpec: {
          Image: 'i:1',
          Configs: ['network.json', 'files/a.json'].map((name) => ({
            ConfigID: encodeURIComponent(name),
            File: { Name: `/devnet/${name}` },
          })),
        },
        Networks: [{ Target: 'net-id' }],
      },
    },
  }));
  tasks = services.map(({ ID }) => ({ ServiceID: ID, DesiredState: 'running', Status: { State: 'running' } }));
}

const find = (context = 'here') => findNetwork({ ...testIo(), env }, { context }, undefined);
const withEach = (change: (container: Container, index: number) => Partial<Container>) =>
  all.map((container, index) => ({ ...container, ...change(container, index) }));

it('a Docker context has the network of its containers, with the ports that they publish', async () => {
  expect(containers).toHaveLength(UNITS);
  const found = await (await dockerEngine(dockerAddress({ env }, 'here'))).find();
  expect(found).toMatchObject({
    devnet: 'net',
    version: VERSION,
    address: { found: { kind: 'compose', name: 'devnet-net' } },
  });
  expect(found.published).toContainEqual({ unit: 'main-sequencer-el', port: 9545, local: 19_545 });
  expect(Object.keys(found.files).toSorted()).toEqual(['network.json', 'spec.yaml']);
  expect((await find()).name).toBe('net');
});

it('the log of a unit is that of its container, and of a stack that of its service', async () => {
  const { signal } = new AbortController();
  const logOf = async (unit: string) => {
    const { address } = await (await dockerEngine(dockerAddress({ env }, 'here'))).find();
    if (address.kind !== 'docker') throw new Error('not of Docker');
    const lines: string[] = [];
    const line = (text: string) => void lines.push(text);
    await (await dockerEngine(address)).follow({ unit, since: undefined, signal, line });
    return lines;
  };
  expect(await logOf('main-batcher')).toEqual(['2026-11-27T15:30:00.5Z batch sent']);
  await expect(logOf('none')).rejects.toThrow('no container');
  runStack();
  expect(await logOf('main-batcher')).toEqual(['2026-11-27T15:30:00.5Z batch sent']);
  await expect(logOf('none')).rejects.toThrow('no service');
});

it.each<[string, () => Container[], object]>([
  ['no network', () => [], { message: 'the Docker context here has no devnet', data: { reason: 'no-devnet' } }],
  [
    'two networks',
    () =>
      withEach(({ Labels }, index) =>
        index === 0 ? { Labels: { ...Labels, 'com.docker.compose.project': 'b' } } : {},
      ),
    { message: expect.stringContaining('has 2 devnets: b, devnet-net'), data: { reason: 'several' } },
  ],
  [
    'a network of another version',
    () => withEach(({ Labels }) => ({ Labels: { ...Labels, 'rollup-devnet.version': '0.0.7' } })),
    { message: expect.stringContaining('runs net of version 0.0.7'), data: { reason: 'version' } },
  ],
  [
    'a container that has ended',
    () => withEach((_, index) => (index === 1 ? { State: 'exited' } : {})),
    { message: expect.stringMatching(/^the container of \S+ is exited$/), exit: 3 },
  ],
])('a Docker context with %s is refused', async (_, listed, expected) => {
  containers = listed();
  await expect(find()).rejects.toMatchObject(expected);
});

it('a Docker context of a manager has the network of a stack, and no port of this machine', async () => {
  runStack();
  const found = await (await dockerEngine(dockerAddress({ env }, 'here'))).find();
  expect(found).toEqual({
    devnet: 'net',
    version: VERSION,
    files: { 'network.json': 'network.json', 'files/a.json': 'files%2Fa.json' },
    published: [],
    carries: true,
    address: {
      kind: 'docker',
      context: 'here',
      host: `unix://${socket}`,
      found: { kind: 'stack', name: 'devnet-net', network: 'net-id', image: 'i:1' },
    },
  });
});

it.each<[string, object[], object]>([
  ['has no task', [], { message: expect.stringMatching(/^the service of \S+ is without a task$/) }],
  [
    'finds no machine',
    [
      { DesiredState: 'shutdown', Status: { State: 'running' }, UpdatedAt: '2026-11-27T15:30:00Z' },
      {
        DesiredState: 'running',
        Status: { State: 'pending', Err: 'no suitable node' },
        UpdatedAt: '2026-11-27T15:00:00Z',
      },
    ],
    { message: expect.stringMatching(/^the service of \S+ is pending: no suitable node$/) },
  ],
])('a stack with a service that %s is refused', async (_, own, expected) => {
  runStack();
  tasks = [...tasks.slice(1), ...own.map((task) => ({ ...task, ServiceID: services[0]?.ID }))];
  await expect(find()).rejects.toMatchObject({ exit: 3, data: { reason: 'not-running' }, ...expected });
});

it('a Docker context of a worker is refused, and one with a stack and a project', async () => {
  containers = [];
  swarm = { LocalNodeState: 'active', ControlAvailable: false };
  await expect(find()).rejects.toMatchObject({ exit: 2, data: { reason: 'worker' } });
  runStack();
  containers = all.map((container) => ({
    ...container,
    Labels: { ...container.Labels, 'com.docker.compose.project': 'other' },
  }));
  await expect(find()).rejects.toMatchObject({ data: { reason: 'several', devnets: ['other', 'devnet-net'] } });
});

it('a Docker context of another machine leads to its daemon, and its published ports are not ours', async () => {
  const far = createTcpServer((near) => void near.pipe(connect(socket)).pipe(near)).listen(0, '127.0.0.1');
  await once(far, 'listening');
  const address = far.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  writeContext('far', `tcp://127.0.0.1:${address.port}`);
  // Docker's client takes the context, whatever the variable says.
  vi.stubEnv('DOCKER_HOST', 'tcp://127.0.0.1:1');
  try {
    const found = await (await dockerEngine(dockerAddress({ env }, 'far'))).find();
    expect(found).toMatchObject({ devnet: 'net', published: [], carries: true });
    expect((await find('here')).name).toBe('net');
  } finally {
    vi.unstubAllEnvs();
    far.close();
  }
});

it('a Docker context by ssh runs the command that Docker itself runs', () => {
  expect(dockerAddress({ env: { DOCKER_HOST: 'ssh://far.example', SSH_AUTH_SOCK: '/agent' } }, 'default')).toEqual({
    kind: 'docker',
    context: 'default',
    host: 'ssh://far.example',
    agent: '/agent',
  });
  const words = (url: string) =>
    sshCommand(new URL(url))
      .join(' ')
      .replace(/ -o \S+/g, '');
  expect(words('ssh://far.example')).toBe('ssh -T -- far.example docker system dial-stdio');
  expect(words('ssh://me%40team@far.example:2222/run/d.sock')).toBe(
    'ssh -T -l me@team -p 2222 -- far.example docker --host unix:///run/d.sock system dial-stdio',
  );
});

it('a Docker context by ssh whose machine does not answer gives the words of ssh', async () => {
  const port = await freePort();
  writeContext('silent', `ssh://127.0.0.1:${port}`);
  await expect(find('silent')).rejects.toMatchObject({
    exit: 3,
    message: expect.stringMatching(/does not answer: (ssh: connect to host 127.0.0.1 port \d+: .+|.*ENOENT.*)$/),
  });
});

it('a Docker context with certificates names their folder', () => {
  writeContext('tls', 'tcp://far.example:2376');
  const folderOf = join(folder, 'contexts', 'tls', createHash('sha256').update('tls').digest('hex'), 'docker');
  expect(dockerAddress({ env }, 'tls').certificates).toBeUndefined();
  mkdirSync(folderOf, { recursive: true });
  expect(dockerAddress({ env }, 'tls').certificates).toBe(folderOf);
  const variables = { DOCKER_HOST: 'tcp://far.example', DOCKER_TLS_VERIFY: '1' };
  expect(dockerAddress({ env: { ...variables, DOCKER_CERT_PATH: '/c' } }, 'default').certificates).toBe('/c');
});

describe('a Docker context with certificates', () => {
  const file = (name: string) => join(import.meta.dirname, '..', '..', '..', 'fixtures', 'tls', name);
  const RIGHT = ['ca.crt', 'client.crt', 'client.key'];

  /** Opens the daemon to clients with a certificate. `certificate`: its own. */
  async function farDaemon(certificate: string) {
    const [ca, cert, key] = ['ca.crt', certificate, 'server.key'].map((name) => readFileSync(file(name)));
    const server = createTlsServer({ ca, cert, key, requestCert: true }, (near) => {
      near
        .on('error', () => undefined)
        .pipe(connect(socket))
        .pipe(near);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { port: address.port, [Symbol.dispose]: () => void server.close() };
  }

  /** Finds the network behind a context whose folder has the files as ca, cert and key. */
  function findWith(name: string, host: string, files: readonly string[], skipsVerify = false) {
    writeContext(name, `tcp://${host}`, skipsVerify);
    const digest = createHash('sha256').update(name).digest('hex');
    const certificates = join(folder, 'contexts', 'tls', digest, 'docker');
    if (files.length > 0) mkdirSync(certificates, { recursive: true });
    for (const [index, each] of files.entries())
      copyFileSync(file(each), join(certificates, ['ca.pem', 'cert.pem', 'key.pem'][index] ?? ''));
    return find(name);
  }

  it('finds the network of a daemon that asks for them, by name and by address, without a warning', async () => {
    using far = await farDaemon('server.crt');
    const warnings: string[] = [];
    const note = ({ message }: Error) => void warnings.push(message);
    process.on('warning', note);
    try {
      expect((await findWith('by-address', `127.0.0.1:${far.port}`, RIGHT)).name).toBe('net');
      expect((await findWith('by-name', `localhost:${far.port}`, RIGHT)).name).toBe('net');
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', note);
    }
  });

  it.each([
    ['its certificates', RIGHT],
    ['those of a stranger as authority', ['stranger-client.crt', ...RIGHT.slice(1)]],
  ])('takes any certificate of the daemon if it says so, with %s', async (_, files) => {
    using far = await farDaemon('elsewhere-server.crt');
    expect((await findWith('unverified', `127.0.0.1:${far.port}`, files, true)).name).toBe('net');
  });

  it('connects by TLS if only SkipTLSVerify says so, and without a certificate of its own', async () => {
    using far = await farDaemon('server.crt');
    await expect(findWith('bare-unverified', `127.0.0.1:${far.port}`, [], true)).rejects.toMatchObject({
      message: expect.stringMatching(/certificate required/),
    });
  });

  it.each([
    ['lacks the certificate of a client', 'server.crt', ['ca.crt'], /does not answer: .*certificate required/],
    ['trusts another authority', 'server.crt', ['stranger-client.crt', ...RIGHT.slice(1)], /: self-signed certificate/],
    ['leads to a daemon of another name', 'elsewhere-server.crt', RIGHT, /does not match certificate's altnames/],
  ])('is refused with the words of TLS when it %s', async (what, certificate, files, why) => {
    using far = await farDaemon(certificate);
    await expect(findWith(what.replaceAll(' ', '-'), `127.0.0.1:${far.port}`, files)).rejects.toMatchObject({
      exit: 3,
      data: { reason: 'no-answer' },
      message: expect.stringMatching(why),
    });
  });
});

it('a Docker context that is unknown, of another kind or without a daemon is named', async () => {
  await expect(find('none')).rejects.toMatchObject({
    message: 'there is no Docker context "none"',
    hint: expect.stringMatching(/expected one of default, .*here/),
  });
  await expect(find('odd')).rejects.toMatchObject({ data: { reason: 'address', context: 'odd' } });
  writeContext('gone', `unix://${join(folder, 'gone.sock')}`);
  await expect(find('gone')).rejects.toMatchObject({ exit: 3, data: { reason: 'no-answer', context: 'gone' } });
});
