import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { EXIT, Failure } from '../../../system/failure.ts';
import { exists } from '../../../system/files/folder.ts';
import { type Owner, ownUser } from '../../../system/files/ownership.ts';
import { type Environment, readCertificates } from './certificates.ts';
import { unreachable } from './errors.ts';

/** A daemon that can run the containers of a devnet. */
export interface Daemon {
  readonly docker: Docker;
  /** User of all containers: its numbers are those of the files' owner. */
  readonly user: Owner;
  /** Whether the daemon has an init to run as process 1 of a container. */
  readonly hasInit: boolean;
  readonly architecture: string;
}

/** API of Docker 20.10. Older daemons read some options otherwise. */
const NEEDED = '1.41';

/** Time (ms) for a daemon to say what it is. */
const ANSWER_MS = 20_000;

/** User of the containers if this program runs as root. */
const UNPRIVILEGED: Owner = { uid: 65532, gid: 65532 };

/** Returns the address of the daemon: `$DOCKER_HOST`, else the usual sockets, the user's own after the system's. */
export function addressOf(env: Environment): string {
  const ofUser = env['XDG_RUNTIME_DIR'] === undefined ? [] : [join(env['XDG_RUNTIME_DIR'], 'docker.sock')];
  const home = env['HOME'] === undefined ? [] : [join(env['HOME'], '.docker', 'run', 'docker.sock')];
  const usual = '/var/run/docker.sock';
  return env['DOCKER_HOST'] || `unix://${[usual, ...ofUser, ...home].find((path) => exists(path)) ?? usual}`;
}

/**
 * Connects to the daemon and checks that it can run a devnet.
 * @throws Failure `docker` (exit 4) if it is absent, stopped, too old, remote, or refuses this user
 */
export async function connectDocker(env: Environment): Promise<Daemon> {
  const address = addressOf(env);
  const docker = await clientAt(address, env);
  let info: DaemonInfo;
  let version: { readonly ApiVersion?: string; readonly Version?: string };
  try {
    [version, info] = await inTime(Promise.all([docker.version(), docker.info()]));
  } catch (error) {
    throw unreachable(address, error);
  }
  const api = version.ApiVersion ?? '0';
  if (isOlder(api, NEEDED))
    throw new Failure('docker', `Docker at ${address} is too old: API ${api}, expected ${NEEDED} or newer`, {
      exit: EXIT.lacking,
      hint: 'install Docker 20.10 or newer',
    });
  if (info.OSType !== undefined && info.OSType !== 'linux')
    throw new Failure('docker', `Docker at ${address} runs ${info.OSType} containers, expected linux`, {
      exit: EXIT.lacking,
      hint: 'switch it to Linux containers',
    });
  const options = info.SecurityOptions ?? [];
  if (options.some((each) => each.includes('name=userns')))
    throw new Failure('docker', `Docker at ${address} maps users (userns-remap): its containers cannot use our files`, {
      exit: EXIT.lacking,
      hint: 'use a daemon without userns-remap, or a rootless one',
    });
  const isRootless = options.some((each) => each.includes('name=rootless'));
  return {
    docker,
    user: userOf(isRootless),
    hasInit: Boolean(info.InitBinary),
    architecture: info.Architecture ?? '',
  };
}

/** Rejects if a daemon takes a connection and gives no answer. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${ANSWER_MS / 1000} s`);
  });
  return Promise.race([answer, late]);
}

/** Time (ms) in which a daemon that ends its containers is gone itself. */
const GOING_MS = 6000;

/** Resolves when a daemon whose containers ended is known to stay, or is back. */
export async function untilSettled(docker: Docker, isOver: () => boolean): Promise<void> {
  const deadline = performance.now() + GOING_MS;
  let wasAway = false;
  while (!isOver()) {
    const isThere = await docker.ping().then(
      () => true,
      () => false,
    );
    if (isThere && (wasAway || performance.now() > deadline)) return;
    wasAway ||= !isThere;
    await sleep(200);
  }
}

interface DaemonInfo {
  readonly OSType?: string;
  readonly SecurityOptions?: readonly string[] | null;
  readonly InitBinary?: string;
  readonly Architecture?: string;
}

/** Root in a container of a rootless daemon is the user of the daemon. Root of this machine takes another user. */
function userOf(isRootless: boolean): Owner {
  const user = ownUser();
  if (isRootless) return { uid: 0, gid: 0 };
  return user === undefined || user.uid === 0 ? UNPRIVILEGED : user;
}

/** Returns a client of the daemon at an address. Makes no connection yet. @throws Failure `docker` */
export async function clientAt(address: string, env: Environment): Promise<Docker> {
  const { default: Client } = await import('dockerode');
  if (address.startsWith('unix://')) return new Client({ socketPath: address.slice('unix://'.length) });
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'ssh:' || (url !== undefined && !isLoopback(url.hostname)))
    throw new Failure('docker', `DOCKER_HOST=${address} is a daemon of another machine`, {
      exit: EXIT.lacking,
      hint: 'give a daemon of this machine: its containers use files and loopback ports of this machine',
    });
  if (url === undefined || !['tcp:', 'http:', 'https:'].includes(url.protocol))
    throw new Failure('docker', `DOCKER_HOST=${address} is not the address of a daemon`, {
      exit: EXIT.lacking,
      hint: 'expected unix:///path/of/docker.sock or tcp://127.0.0.1:2375',
    });
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!env['DOCKER_TLS_VERIFY'] && url.protocol !== 'https:')
    return quiet(new Client({ host, port: Number(url.port || 2375), protocol: 'http' }));
  const certificates = readCertificates(env);
  return quiet(new Client({ host, port: Number(url.port || 2376), protocol: 'https', ...certificates }));
}

/** Silences Node's warning about `url.parse`, which the client calls for each request by TCP. */
function quiet(docker: Docker): Docker {
  const { modem } = docker;
  const dial: typeof modem.dial = modem.dial.bind(modem);
  modem.dial = (...request: Parameters<typeof dial>) => {
    const { noDeprecation = false } = process;
    process.noDeprecation = true;
    try {
      dial(...request);
    } finally {
      process.noDeprecation = noDeprecation;
    }
  };
  return docker;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

/** Compares versions such as 1.41 by their numbers. */
export function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = than.split('.').map(Number);
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}
