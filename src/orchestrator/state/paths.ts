import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { markOf } from '../../system/process/mark.ts';
import { BOOT_NAMES } from '../../system/program/platform.ts';

/** Pattern of a devnet's name, which is part of a folder, a socket and messages. */
const DEVNET_NAME = /^[a-z0-9][a-z0-9-]{0,38}$/;

/** Returns the home: `$DEVNET_HOME`, else `$XDG_STATE_HOME/devnet`, else `~/.local/state/devnet`. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (env['DEVNET_HOME']) return env['DEVNET_HOME'];
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'devnet');
  if (env['HOME']) return join(env['HOME'], '.local', 'state', 'devnet');
  throw new Failure('home', 'there is no folder for the state: none of DEVNET_HOME, XDG_STATE_HOME and HOME is set', {
    exit: EXIT.lacking,
    hint: 'set DEVNET_HOME',
  });
}

/** Paths of one devnet. The lock is outside its folder, so that the folder can be removed under it. */
export interface Paths {
  readonly home: string;
  readonly name: string;
  readonly folder: string;
  /** The folder of an earlier devnet of this name, while a new one writes its files. */
  readonly replaced: string;
  readonly state: string;
  readonly plan: string;
  readonly spec: string;
  readonly clock: string;
  readonly clockSocket: string;
  /** Disk space for the last state, so that a full disk cannot hide why a devnet failed. */
  readonly reserve: string;
  /** Output of the commands of the spec's `after`. */
  readonly after: string;
  readonly control: string;
  readonly lock: string;
}

/** Returns the paths of a devnet. @throws Failure `name` (exit 2) for a name that could leave the home folder */
export function pathsOf(home: string, name: string): Paths {
  if (!DEVNET_NAME.test(name))
    throw new Failure(
      'name',
      `${JSON.stringify(name)} cannot be a devnet's name: expected a-z, 0-9 and -, at most 39, not starting with -`,
      {
        exit: EXIT.usage,
      },
    );
  const folder = join(home, name);
  return {
    home,
    name,
    folder,
    replaced: join(home, `.replaced-${name}`),
    state: join(folder, 'state.json'),
    plan: join(folder, 'plan.json'),
    spec: join(folder, 'spec.yaml'),
    clock: join(folder, 'clock.json'),
    reserve: join(folder, 'reserve'),
    after: join(folder, 'after.log'),
    clockSocket: socketPath(folder, 'clock.sock'),
    control: controlSocket(folder),
    lock: join(home, '.locks', name),
  };
}

/**
 * Returns the folder of the user's port reservations. A port belongs to the machine, so devnets of all homes share it.
 * Not below `TMPDIR`, which differs between shells and between jobs of CI.
 */
export function portsFolder(): string {
  return `/tmp/devnet-ports-${process.getuid?.() ?? 0}${BOOT_NAMES}`;
}

/** Returns the folder of the user's sockets whose own path would be too long. It is checked before it is used. */
export function socketsFolder(): string {
  return `/tmp/devnet-sockets-${process.getuid?.() ?? 0}`;
}

/** Returns the folder of the snapshots of a home. They outlive their devnets. */
export function snapshotsFolder(home: string): string {
  return join(home, '.snapshots');
}

/** Returns the path of the socket by which containers reach processes of the machine. */
export function linkSocket({ folder }: Paths): string {
  return socketPath(folder, 'link.sock');
}

/** A kind of cached content of a home, each in a folder of its own. */
export type CacheKind = 'code' | 'containers' | 'genesis-text' | 'roots' | 'snapshots' | 'spec';

/** Returns the folder of one kind of cached content, or of all. */
export function cacheFolder(home: string, kind?: CacheKind): string {
  return join(home, '.cache', kind ?? '');
}

/** Returns the path of the control socket. */
export function controlSocket(folder: string): string {
  return socketPath(folder, 'control.sock');
}

/**
 * Returns the path of a devnet's socket.
 * Some systems limit a Unix socket's path to 104 bytes. A longer one moves to the user's folder of sockets.
 */
function socketPath(folder: string, name: string): string {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= 100) return path;
  const hash = createHash('sha256').update(name === 'control.sock' ? folder : path);
  return join(socketsFolder(), `${hash.digest('hex').slice(0, 20)}.sock`);
}

/**
 * Returns the environment stamp of a devnet's processes.
 * Shells may export the first two variables. The third is never exported.
 */
export function stampOf(paths: Paths): Record<'DEVNET_HOME' | 'DEVNET_NAME' | 'DEVNET_PROCESS', string> {
  return { DEVNET_HOME: paths.home, DEVNET_NAME: paths.name, DEVNET_PROCESS: 'task' };
}

/** Returns the traces by which a devnet's processes are found without their handles. */
export function tracesOf(paths: Paths): {
  readonly stamp: readonly string[];
  readonly mark: number;
  readonly folder: string;
} {
  return {
    stamp: Object.entries(stampOf(paths)).map(([key, value]) => `${key}=${value}`),
    mark: markOf(paths.folder),
    folder: paths.folder,
  };
}
