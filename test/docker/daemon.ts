import { spawnSync } from 'node:child_process';
import { answers, importBase, OwnDaemon } from './own-daemon.ts';
import { BASE } from './support.ts';

/**
 * Gives the tests a Docker daemon with a base image.
 * That is one that answers, else, as root, one of their own, which ends with them. Without any, the tests are skipped
 * with the reason.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  process.env['DEVNET_BASE_IMAGE'] = BASE;
  if (answers()) {
    await importBase();
    return undefined;
  }
  const daemon = new OwnDaemon();
  try {
    const reason = whyNone();
    if (reason !== undefined) throw new Error(reason);
    await daemon.start();
    await importBase(daemon.host);
    process.env['DOCKER_HOST'] = daemon.host;
    return () => daemon[Symbol.asyncDispose]();
  } catch (error) {
    process.env['DEVNET_TEST_NO_DOCKER'] = error instanceof Error ? error.message : String(error);
    await daemon[Symbol.asyncDispose]();
    return undefined;
  }
}

function whyNone(): string | undefined {
  if (process.env['DOCKER_HOST']) return `no Docker daemon answers at DOCKER_HOST=${process.env['DOCKER_HOST']}`;
  if (spawnSync('docker', ['--version']).status !== 0) return 'there is no command docker';
  if (process.getuid?.() !== 0) return 'no Docker daemon answers, and only root can start one';
  if (spawnSync('dockerd', ['--version']).status !== 0)
    return 'no Docker daemon answers, and dockerd is not installed (Debian: docker.io, iptables)';
  return undefined;
}
