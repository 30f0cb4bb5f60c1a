import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Options of apt-get: short time limits, and nothing outside a folder is written. */
const LIMITS = ['-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::https::Timeout=10', '-o', 'Acquire::Retries=0'];

/** Time (ms) of one call of apt-get. */
const APT_MS = 60_000;

/** Free bytes that the images and containers of the tests need. */
const SPACE = 3e9;

/**
 * Makes `dockerd` and `docker` available to this process if they are missing, and a registry: Debian's packages are
 * unpacked into a folder. Nothing is installed, so that no service starts and no package of the machine changes.
 * @throws Error with the reason if that is not possible
 */
export async function dockerPrograms(folder: string): Promise<void> {
  if (process.platform !== 'linux') throw new Error('only Linux runs a Docker daemon of its own');
  if (process.getuid?.() !== 0) throw new Error('only root can start a Docker daemon');
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < SPACE) throw new Error(`less than ${SPACE / 1e9} GB are free in ${tmpdir()}`);
  if (has('dockerd') && has('docker') && has('containerd')) return;
  // Newer releases have the client in a package of its own.
  await unpack(folder, ['docker.io', 'containerd', 'runc', 'tini', 'iptables'], ['docker-cli', 'docker-registry']);
  for (const name of ['dockerd', 'docker', 'containerd'])
    if (!has(name)) throw new Error(`Debian's packages bring no ${name} that runs here`);
}

/** Makes `sshd` available to this process if it is missing, as {@link dockerPrograms} does. @throws Error */
export async function sshPrograms(folder: string): Promise<void> {
  if (where('sshd') === undefined) await unpack(folder, ['openssh-server', 'openssh-client', 'libwrap0']);
  if (where('sshd') === undefined) throw new Error("Debian's packages bring no sshd");
}

/** Returns the path of a program; undefined: there is none. */
export function where(program: string): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
  return stdout.trim() || undefined;
}

/** Unpacks packages into a folder that programs and libraries are looked for in. `optional`: may be unknown. */
async function unpack(folder: string, packages: readonly string[], optional: readonly string[] = []): Promise<void> {
  if (!has('apt-get') || !has('dpkg')) throw new Error(`${packages[0]} is not installed, and there is no apt-get`);
  const archives = join(folder, 'archives');
  for (const path of [join(archives, 'partial'), join(folder, 'lists', 'partial')])
    mkdirSync(path, { recursive: true });
  const places = ['-o', `Dir::State::lists=${join(folder, 'lists')}`, '-o', `Dir::Cache=${folder}`, ...LIMITS];
  await run('apt-get', [...places, '-q', 'update']);
  // `--reinstall`: else nothing comes of a package that is installed where this process does not look.
  const options = ['-q', '-y', '--no-install-recommends', '--download-only', '--reinstall'];
  const get = (...names: readonly string[]) => run('apt-get', [...places, ...options, 'install', ...names]);
  await get(...packages);
  for (const name of optional) await get(name).catch(() => undefined);
  const root = join(folder, 'root');
  for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb')))
    await run('dpkg', ['-x', join(archives, name), root]);
  const below = (...names: string[]) => names.map((name) => join(root, name));
  const paths = (name: string, folders: readonly string[]) => {
    process.env[name] = [...folders, process.env[name]].filter(Boolean).join(delimiter);
  };
  paths('PATH', below('usr/sbin', 'usr/bin', 'sbin', 'bin'));
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  paths('LD_LIBRARY_PATH', below(`usr/lib/${triplet}`, `lib/${triplet}`));
}

function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** Runs a program to its end. @throws Error with its last words */
export function run(program: string, args: readonly string[], ms = APT_MS): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, timeout: ms, killSignal: 'SIGKILL' });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject).once('close', (code, signal) => {
      if (code === 0) return resolve(stdout.trim());
      const lines = (stderr.trim() || stdout.trim()).split('\n');
      // Docker's last line refers to its help.
      const last = lines.findLast((line) => line !== '' && !line.includes('--help')) ?? '';
      reject(new Error(`${program} ${args.at(-1) ?? ''}: ${signal === null ? last : `no end within ${ms / 1000} s`}`));
    });
  });
}
