import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packBase } from './base-image.ts';
import { BASE } from './support.ts';

/**
 * Gives the tests a Docker daemon with a base image.
 * That is one that answers, else, as root, one of their own, which ends with them. Without any, the tests are skipped
 * with the reason.
 */
export default async function setup(): Promise<() => Promise<void>> {
  process.env['DEVNET_BASE_IMAGE'] = BASE;
  let end = async (): Promise<void> => undefined;
  if (!answers()) {
    const reason = whyNone();
    if (reason !== undefined) {
      process.env['DEVNET_TEST_NO_DOCKER'] = reason;
      return end;
    }
    end = await startDaemon();
  }
  if (spawnSync('docker', ['image', 'inspect', BASE]).status !== 0) importBase();
  return end;
}

function answers(): boolean {
  return spawnSync('docker', ['version', '--format', '{{.Server.APIVersion}}'], { timeout: 10_000 }).status === 0;
}

function whyNone(): string | undefined {
  if (process.env['DOCKER_HOST']) return `no Docker daemon answers at DOCKER_HOST=${process.env['DOCKER_HOST']}`;
  if (spawnSync('docker', ['--version']).status !== 0) return 'there is no command docker';
  if (process.getuid?.() !== 0) return 'no Docker daemon answers, and only root can start one';
  if (spawnSync('dockerd', ['--version']).status !== 0)
    return 'no Docker daemon answers, and dockerd is not installed (Debian: docker.io, iptables)';
  return undefined;
}

async function startDaemon(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-dockerd-'));
  const path = (name: string) => join(folder, name);
  const host = `unix://${path('docker.sock')}`;
  const daemon = spawn(
    'dockerd',
    [
      ...['--data-root', path('data'), '--exec-root', path('exec'), '-H', host],
      ...['--pidfile', path('pid'), '--log-level', 'error'],
    ],
    { stdio: 'ignore', detached: true },
  );
  process.env['DOCKER_HOST'] = host;
  while (!answers()) {
    if (daemon.exitCode !== null) throw new Error(`dockerd ended with ${daemon.exitCode}`);
    await sleep(50);
  }
  return () => endDaemon(daemon, folder);
}

async function endDaemon(daemon: ChildProcess, folder: string): Promise<void> {
  const gone = new Promise((resolve) => daemon.once('exit', resolve));
  daemon.kill('SIGTERM');
  await gone;
  rmSync(folder, { recursive: true, force: true });
}

function importBase(): void {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-base-'));
  try {
    packBase(folder);
    execFileSync('sh', ['-c', `tar -C "${folder}" -c . | docker import -c "ENV PATH=/usr/local/bin" - ${BASE}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
