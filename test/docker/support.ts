import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tiny program of the process tests, which is in the base image. */
export const TINY = join(import.meta.dirname, '..', 'fixtures', 'programs', 'rpc-node.mjs');

const content = createHash('sha256').update(process.version).update(readFileSync(TINY)).digest('hex');

/** Name of the base image that the tests make. */
export const BASE = `devnet-test-base:${content.slice(0, 12)}`;

/** Why there is no daemon to test with, undefined if there is one. */
export const NO_DOCKER = process.env['DEVNET_TEST_NO_DOCKER'];

/** Runs a command of Docker's own client and returns its output. */
export function docker(...args: string[]): string {
  return dockerAt(process.env['DOCKER_HOST'], ...args);
}

/** Runs a command of Docker's own client with a daemon. */
export function dockerAt(host: string | undefined, ...args: string[]): string {
  const env = { ...process.env, ...(host === undefined ? {} : { DOCKER_HOST: host }) };
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8', timeout: 60_000, env });
  if (status !== 0) throw new Error(`docker ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Addresses at which sockets of this machine listen with one of the ports, as `ss` prints them. */
export function listeningAt(ports: readonly number[]): string[] {
  const { stdout } = spawnSync('ss', ['-Hltun'], { encoding: 'utf8' });
  const listening = stdout.split('\n').map((line) => line.split(/\s+/)[4] ?? '');
  return listening.filter((address) => ports.some((port) => address.endsWith(`:${port}`)));
}

/** Names of the containers and networks of the devnets in a home. */
export function leftInDocker(home: string, host = process.env['DOCKER_HOST']): string[] {
  const docker = (...args: string[]) => dockerAt(host, ...args);
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  // One command for all: networks of tests beside this one come and go.
  const label = (names: string) => [
    ...['--filter', 'label=rollup-devnet.folder', '--format'],
    `{{.Label "rollup-devnet.folder"}} {{.${names}}}`,
  ];
  const containers = lines(docker('ps', '-a', ...label('Names')));
  const networks = lines(docker('network', 'ls', ...label('Name')));
  return [...containers, ...networks].filter((line) => line.startsWith(`${home}/`));
}
