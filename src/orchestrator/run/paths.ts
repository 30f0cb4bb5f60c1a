import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { markOf } from '../../system/process-mark.ts';

/** What a devnet may be called: it becomes a folder, a socket and part of messages. */
const NAME = /^[a-z0-9][a-z0-9-]{0,38}$/;

/** The folder of all devnets' state: `$DEVNET_HOME`, else `$XDG_STATE_HOME/devnet`, else `~/.local/state/devnet`. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (env['DEVNET_HOME']) return env['DEVNET_HOME'];
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'devnet');
  if (env['HOME']) return join(env['HOME'], '.local', 'state', 'devnet');
  throw new Failure('home', 'there is no folder for the state: none of DEVNET_HOME, XDG_STATE_HOME and HOME is set', {
    exit: EXIT.lacking,
    hint: 'set DEVNET_HOME',
  });
}

/** Where the things of one devnet lie. The lock is outside its folder, so that the folder can be removed under it. */
export interface Paths {
  readonly home: string;
  readonly name: string;
  readonly folder: string;
  readonly state: string;
  readonly plan: string;
  readonly spec: string;
  readonly clock: string;
  /** Room on the disk for the last state, so that a full disk cannot hide why a devnet failed. */
  readonly reserve: string;
  readonly control: string;
  readonly lock: string;
  readonly ports: string;
}

/** Paths of the devnet of a name. @throws Failure `name` (exit 2) for a name that could leave the home folder */
export function pathsOf(home: string, name: string): Paths {
  if (!NAME.test(name))
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
    state: join(folder, 'state.json'),
    plan: join(folder, 'plan.json'),
    spec: join(folder, 'spec.yaml'),
    clock: join(folder, 'clock.json'),
    reserve: join(folder, 'reserve'),
    control: controlSocket(folder),
    lock: join(home, '.locks', name),
    ports: portsFolder(home),
  };
}

/** The folder of port reservations of all devnets of a home. */
export function portsFolder(home: string): string {
  return join(home, '.ports');
}

/** What is kept for all devnets of a home, each kind in a folder of the cache. */
export type CacheKind = 'code' | 'genesis-text' | 'roots' | 'spec';

/** The folder of one kind of kept content, or of all. */
export function cacheFolder(home: string, kind?: CacheKind): string {
  return join(home, '.cache', kind ?? '');
}

/** A Unix socket's path holds at most 104 bytes on some systems: a longer one moves to /tmp, called after its hash. */
export function controlSocket(folder: string): string {
  const path = join(folder, 'control.sock');
  if (Buffer.byteLength(path) <= 100) return path;
  return `/tmp/devnet-${createHash('sha256').update(folder).digest('hex').slice(0, 20)}.sock`;
}

/** Marks the processes that a devnet started, and only those: shells that exported the first two are no part of it. */
export function stampOf(paths: Paths): Record<'DEVNET_HOME' | 'DEVNET_NAME' | 'DEVNET_PROCESS', string> {
  return { DEVNET_HOME: paths.home, DEVNET_NAME: paths.name, DEVNET_PROCESS: 'task' };
}

/** By what the processes of a devnet are recognised when nobody holds their handle. */
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
