import { spawnSync } from 'node:child_process';

/** Name of the base image that the tests make. */
export const BASE = 'devnet-test-base:node24';

/** Why there is no daemon to test with, undefined where there is one. */
export const NO_DOCKER = process.env['DEVNET_TEST_NO_DOCKER'];

/** Runs a command of Docker's own client and returns its output. */
export function docker(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`docker ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Names of the containers and networks of the devnets in a home. */
export function leftInDocker(home: string): string[] {
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  const label = ['--filter', 'label=rollup-devnet.folder', '--format', '{{.Label "rollup-devnet.folder"}} {{.Names}}'];
  const networks = lines(docker('network', 'ls', '--filter', 'label=rollup-devnet.folder', '-q')).map((id) =>
    docker('network', 'inspect', id, '--format', '{{index .Labels "rollup-devnet.folder"}} {{.Name}}'),
  );
  return [...lines(docker('ps', '-a', ...label)), ...networks].filter((line) => line.startsWith(`${home}/`));
}
