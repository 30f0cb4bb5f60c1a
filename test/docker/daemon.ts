import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../src/system/failure.ts';
import { dockerPrograms, run } from './debian.ts';
import { type DaemonEnvironment, keepEnvironment } from './environment.ts';
import { answers, importBase, OwnDaemon } from './own-daemon.ts';
import { BASE } from './support.ts';

/** A daemon for networks in containers, or the reason why there is none. */
export interface FoundDaemon {
  readonly environment: DaemonEnvironment;
  readonly end: () => Promise<void>;
}

/** Finds a daemon for the tests that the environment asks for. Without one they are skipped with the reason. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env['DEVNET_TEST_DOCKER'] !== '1') {
    keepEnvironment({ DEVNET_TEST_NO_DOCKER: '`make test-docker` and `.ci/run` run them' });
    return async () => undefined;
  }
  const { environment, end } = await findDaemon();
  keepEnvironment(environment);
  return end;
}

/**
 * Finds a Docker daemon and gives it the base image.
 * It is one that answers, else, as root, one of the tests, which ends with them. Its programs come from Debian if
 * the machine has none.
 */
export async function findDaemon(): Promise<FoundDaemon> {
  if (answers()) {
    await importBase();
    return { environment: { DEVNET_BASE_IMAGE: BASE }, end: async () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'devnet-docker-'));
  const before = { ...process.env };
  let daemon: OwnDaemon | undefined;
  const end = async () => {
    await daemon?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (process.env['DOCKER_HOST']) throw new Error(`no daemon answers at DOCKER_HOST=${process.env['DOCKER_HOST']}`);
    await dockerPrograms(folder);
    daemon = new OwnDaemon();
    await daemon.start();
    await importBase(daemon.host);
    process.env['DOCKER_HOST'] = daemon.host;
    await runsContainers();
    const { PATH, LD_LIBRARY_PATH } = process.env;
    return { environment: { PATH, LD_LIBRARY_PATH, DOCKER_HOST: daemon.host, DEVNET_BASE_IMAGE: BASE }, end };
  } catch (error) {
    console.log(`no networks in containers are tested: ${messageOf(error)}`);
    await end();
    return { environment: { DEVNET_TEST_NO_DOCKER: messageOf(error) }, end: async () => undefined };
  } finally {
    // The tests of other projects run with the environment of the machine.
    for (const name of ['PATH', 'LD_LIBRARY_PATH', 'DOCKER_HOST']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

/** Time (ms) for a container to answer. */
const ANSWER_MS = 20_000;

/** Checks with Docker's own client that the machine lets containers run, and reaches their ports. @throws Error */
async function runsContainers(): Promise<void> {
  const driver = await run('docker', ['info', '--format', '{{.Driver}}']);
  if (driver === 'vfs') throw new Error('dockerd finds no overlay file system here, and copies each image instead');
  const listen = "require('http').createServer((q, a) => a.end('ok')).listen(8080)";
  await run('docker', ['network', 'create', 'probe']);
  const secured = ['--init', '--cap-drop', 'ALL', '--user', '65532:65532', '--security-opt', 'no-new-privileges'];
  const published = ['--network', 'probe', '--publish', '127.0.0.1::8080'];
  await run('docker', ['run', '--detach', '--name', 'probe', ...secured, ...published, BASE, 'node', '-e', listen]);
  const address = await run('docker', ['port', 'probe', '8080']);
  const deadline = performance.now() + ANSWER_MS;
  while (!(await answersOk(address))) {
    if (performance.now() > deadline) throw new Error(`a port that Docker publishes at ${address} does not answer`);
    await sleep(100);
  }
  await run('docker', ['rm', '--force', 'probe']);
  await run('docker', ['network', 'rm', 'probe']);
}

async function answersOk(address: string): Promise<boolean> {
  try {
    return (await (await fetch(`http://${address}`, { signal: AbortSignal.timeout(2000) })).text()) === 'ok';
  } catch {
    return false;
  }
}
