import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { connectDocker, isOlder } from '../../../../src/orchestrator/runtimes/docker/connect.ts';
import { failureOfAnswer, takenPort } from '../../../../src/orchestrator/runtimes/docker/errors.ts';
import { placesOutside } from '../../../../src/orchestrator/runtimes/docker/pod.ts';
import { planOf } from '../../plan/planned.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-docker-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs work with a daemon that answers with the given version and facts. */
async function withDaemon<T>(
  version: object,
  info: object,
  work: (env: { DOCKER_HOST: string }) => Promise<T>,
): Promise<T> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.sock`);
  const server = createServer(({ url }, response) =>
    response.end(JSON.stringify(url?.includes('/version') === true ? version : info)),
  );
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  try {
    return await work({ DOCKER_HOST: `unix://${path}` });
  } finally {
    server.close();
  }
}

describe('a daemon that cannot be used is named with what to do', () => {
  it.each([
    ['absent', `unix://${folder}/none`, /there is no Docker daemon: unix:.*none does not exist/],
    ['stopped', `unix://${folder}/file`, /the Docker daemon of unix:.*file is stopped/],
    ['another machine by SSH', 'ssh://me@host', /is a daemon of another machine/],
    ['another machine by TCP', 'tcp://10.0.0.9:2375', /is a daemon of another machine/],
    ['no address', 'docker', /DOCKER_HOST=docker is not the address of a daemon/],
  ])('%s', async (_, DOCKER_HOST, message) => {
    writeFileSync(join(folder, 'file'), '');
    await expect(connectDocker({ DOCKER_HOST })).rejects.toMatchObject({
      message: expect.stringMatching(message),
      exit: 4,
      hint: expect.stringMatching(/\w/),
    });
  });

  it('too old', async () => {
    const failure = withDaemon({ ApiVersion: '1.38' }, {}, connectDocker);
    await expect(failure).rejects.toMatchObject({ message: expect.stringMatching(/too old: API 1\.38/), exit: 4 });
    expect([isOlder('1.9', '1.41'), isOlder('1.41', '1.41'), isOlder('2.0', '1.41')]).toEqual([true, false, false]);
  });

  it('no permission', async () => {
    // Loads the client, which another user may not be able to read.
    await withDaemon({ ApiVersion: '1.41' }, {}, connectDocker);
    await withDaemon({ ApiVersion: '1.41' }, {}, async ({ DOCKER_HOST }) => {
      chmodSync(DOCKER_HOST.slice('unix://'.length), 0);
      const isRoot = process.geteuid?.() === 0;
      if (isRoot) process.seteuid?.(65_534);
      try {
        await expect(connectDocker({ DOCKER_HOST })).rejects.toMatchObject({
          message: `no permission to use the Docker daemon at ${DOCKER_HOST}`,
          hint: expect.stringMatching(/usermod -aG docker/),
          exit: 4,
        });
      } finally {
        if (isRoot) process.seteuid?.(0);
      }
    });
  });

  it('TLS without certificates, with those of another, and with the right ones', async () => {
    const tls = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'tls');
    const file = (name: string) => readFileSync(join(tls, name));
    const server = createTlsServer(
      { ca: file('ca.crt'), cert: file('server.crt'), key: file('server.key'), requestCert: true },
      (_, response) => response.end(JSON.stringify({ ApiVersion: '1.41', Architecture: 'x86_64' })),
    ).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const DOCKER_HOST = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const certificates = (name: string, files: readonly string[]) => {
      const path = join(folder, name);
      mkdirSync(path);
      for (const [index, file] of files.entries())
        copyFileSync(join(tls, file), join(path, ['ca.pem', 'cert.pem', 'key.pem'][index] ?? ''));
      return { DOCKER_HOST, DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: path };
    };
    const hint = expect.stringMatching(/DOCKER_CERT_PATH/);
    const refused = (message: RegExp) => ({ exit: 4, message: expect.stringMatching(message), hint });
    try {
      await expect(connectDocker(certificates('none', []))).rejects.toMatchObject(
        refused(/cannot read .*ca\.pem, which a connection to Docker by TLS needs: it does not exist/),
      );
      const stranger = certificates('stranger', ['stranger-client.crt', 'client.crt', 'client.key']);
      await expect(connectDocker(stranger)).rejects.toMatchObject(
        refused(/no TLS connection to the Docker daemon at tcp/),
      );
      const right = certificates('right', ['ca.crt', 'client.crt', 'client.key']);
      expect((await connectDocker(right)).architecture).toBe('x86_64');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('a rootless daemon is recognised: its root is the user', async () => {
    const rootless = { SecurityOptions: ['name=seccomp', 'name=rootless'], InitBinary: 'docker-init' };
    const daemon = await withDaemon({ ApiVersion: '1.41' }, rootless, connectDocker);
    expect([daemon.user, daemon.hasInit]).toEqual([{ uid: 0, gid: 0 }, true]);
    const usual = await withDaemon({ ApiVersion: '1.41' }, {}, connectDocker);
    expect(usual.user.uid).not.toBe(0);
    const mapped = withDaemon({ ApiVersion: '1.41' }, { SecurityOptions: ['name=userns'] }, connectDocker);
    await expect(mapped).rejects.toMatchObject({ message: expect.stringMatching(/userns-remap/), exit: 4 });
  });
});

it.each([
  ['(HTTP code 404) no such image - No such image: x:1', 404, 'there is no image x'],
  ['container name "/a" is already in use by container "0123456789ab"', 409, 'the container name /a is taken'],
  ['network with name devnet-x already exists', 409, 'the network name devnet-x is taken'],
  ['could not find an available, non-overlapping IPv4 address pool among the defaults', 500, 'no free subnet'],
  ['mkdir /var/lib/docker: no space left on device', 500, "the disk of Docker's images and containers is full"],
  ['exec /bin/geth: exec format error', 500, 'its image is for another processor'],
  ['exec: "geth": executable file not found in $PATH', 400, 'the image has no program geth'],
  ['something new', 500, 'Docker cannot run x: something new'],
])('the answer of a daemon is explained: %s', (text, statusCode, what) => {
  const failure = failureOfAnswer(Object.assign(new Error(text), { statusCode }), 'x');
  expect(failure.message).toContain(what);
  expect([failure.exit, failure.hint]).toEqual([4, expect.stringMatching(/\w/)]);
});

it('a port that is taken is found in the answer', () => {
  const text = 'driver failed programming: Bind for 127.0.0.1:9545 failed: port is already allocated';
  expect(takenPort(new Error(text))).toBe(9545);
  expect(takenPort(new Error('no space left on device'))).toBeUndefined();
});

it('containers reach what runs as a process, and nothing of the machine beside it', () => {
  const part = 'el: { runtime: docker }, cl: { runtime: docker }';
  const plan = planOf(`chains: { main: { nodes: { s: { role: sequencer }, v: { ${part} } } } }`);
  const ports = placesOutside(plan).map(({ port }) => port);
  expect(ports).toEqual(expect.arrayContaining([5052, 8545, 9545, 9551, 9547, 9522]));
  expect(ports.filter((port) => port >= 9555 && port < 9565)).toEqual([]);
  expect(placesOutside(planOf('runtime: docker'))).toEqual([]);
});
