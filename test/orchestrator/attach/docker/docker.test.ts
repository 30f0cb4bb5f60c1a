import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findNetwork } from '../../../../src/orchestrator/attach/attach.ts';
import { dockerAddress } from '../../../../src/orchestrator/attach/docker/address.ts';
import { dockerEngine } from '../../../../src/orchestrator/attach/docker/docker.ts';
import { composeText } from '../../../../src/orchestrator/export/compose/compose.ts';
import { EXPORT_PATHS } from '../../../../src/orchestrator/export/export-network.ts';
import { VERSION } from '../../../../src/system/program/common-options.ts';
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

/** A daemon as far as `attach` asks it. */
const daemon = createServer(({ url = '' }, response) => {
  const [, id] = /^\/containers\/([^/]+)\/archive\?path=%2Fdevnet$/.exec(url) ?? [];
  if (id !== undefined) return void create({ cwd: folder }, ['devnet']).pipe(response);
  if (/^\/containers\/main-batcher\/logs/.test(url)) {
    const line = Buffer.from('2026-11-27T15:30:00.5Z batch sent\n');
    const head = Buffer.from([1, 0, 0, 0, 0, 0, 0, line.length]);
    return void response.end(Buffer.concat([head, line]));
  }
  if (!url.startsWith('/containers/json')) response.statusCode = 404;
  response.setHeader('content-type', 'application/json').end(JSON.stringify(containers));
});

/** Writes a context as `docker context create` does. */
function writeContext(name: string, host: string): void {
  const at = join(folder, 'contexts', 'meta', createHash('sha256').update(name).digest('hex'));
  mkdirSync(at, { recursive: true });
  const context = { Name: name, Metadata: {}, Endpoints: { docker: { Host: host, SkipTLSVerify: false } } };
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
  containers = all;
  writeContext('here', `unix://${socket}`);
  writeContext('far', 'ssh://team@far.example');
  daemon.listen(socket);
  await once(daemon, 'listening');
});
afterAll(() => void daemon.close());

const find = (context = 'here') => findNetwork({ ...testIo(), env }, { context }, undefined);
const withEach = (change: (container: Container, index: number) => Partial<Container>) =>
  all.map((container, index) => ({ ...container, ...change(container, index) }));

it('a Docker context has the network of its containers, with the ports that they publish', async () => {
  containers = all;
  expect(containers).toHaveLength(UNITS);
  const found = await (await dockerEngine(dockerAddress({ env }, 'here'))).find();
  expect(found).toMatchObject({ devnet: 'net', version: VERSION, address: { project: 'devnet-net' } });
  expect(found.published).toContainEqual({ unit: 'main-sequencer-el', port: 9545, local: 19_545 });
  expect(Object.keys(found.files).toSorted()).toEqual(['network.json', 'spec.yaml']);
  expect((await find()).name).toBe('net');
});

it('the log of a unit is that of its container', async () => {
  containers = all;
  const engine = await dockerEngine(dockerAddress({ env }, 'here'));
  const lines: string[] = [];
  const { signal } = new AbortController();
  await engine.follow({ unit: 'main-batcher', since: undefined, signal, line: (text) => lines.push(text) });
  expect(lines).toEqual(['2026-11-27T15:30:00.5Z batch sent']);
  await expect(engine.follow({ unit: 'none', since: undefined, signal, line: () => {} })).rejects.toThrow(
    'no container',
  );
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

it('a Docker context that is unknown, of another machine or without a daemon is named', async () => {
  await expect(find('none')).rejects.toMatchObject({
    message: 'there is no Docker context "none"',
    hint: expect.stringMatching(/expected one of default, (far, here|here, far)/),
  });
  await expect(find('far')).rejects.toMatchObject({ data: { reason: 'remote', host: 'ssh://team@far.example' } });
  writeContext('gone', `unix://${join(folder, 'gone.sock')}`);
  await expect(find('gone')).rejects.toMatchObject({ exit: 3, data: { reason: 'no-answer', context: 'gone' } });
});
