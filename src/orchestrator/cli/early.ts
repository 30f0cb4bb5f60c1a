import { resolve } from 'node:path';
import { entryPoint } from '../../system/entry.ts';
import { type PipedProcess, startPiped } from '../../system/process-piped.ts';
import { codeCache, homeFolder } from '../run/paths.ts';
import type { Io } from './command.ts';

const started = new WeakMap<Io, PipedProcess>();

/** Commands that will need a supervisor if their arguments are right. */
export const NEEDS_SUPERVISOR: ReadonlySet<string> = new Set(['up', 'start', 'exec']);

/** The folder of all devnets, absolute. */
export function homeOf(io: Io): string {
  return resolve(io.cwd, homeFolder(io.env));
}

/** Starts a supervisor before anything is known: it gets ready for its orders while this process still reads and plans. */
export function startEarly(io: Io): PipedProcess {
  const env = Object.fromEntries(
    Object.entries(io.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const supervisor = startPiped([process.execPath, '--min-semi-space-size=16', entryPoint('supervisor')], {
    // Every process of a network is one of a few programs: each is compiled once for all of them.
    NODE_COMPILE_CACHE: codeCache(homeOf(io)),
    ...env,
    DEVNET_HOME: homeOf(io),
    DEVNET_PROCESS: 'supervisor',
  });
  started.set(io, supervisor);
  return supervisor;
}

/** The supervisor that was started early, or a new one; whoever takes it ends it. */
export function takeSupervisor(io: Io): PipedProcess {
  const supervisor = started.get(io) ?? startEarly(io);
  started.delete(io);
  return supervisor;
}

/** The supervisor that was started early and not taken yet. */
export function waitingSupervisor(io: Io): PipedProcess {
  return started.get(io) ?? startEarly(io);
}

/** Ends a supervisor that nobody took: the command line was wrong. */
export async function endUntaken(io: Io): Promise<void> {
  const supervisor = started.get(io);
  if (supervisor === undefined) return;
  started.delete(io);
  supervisor.kill();
  await supervisor.exited;
}
