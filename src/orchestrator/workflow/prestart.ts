import { resolve } from 'node:path';
import { entryPoint } from '../../system/entry.ts';
import type { PipedProcess } from '../../system/process-piped.ts';
import { homeFolder } from '../run/paths.ts';
import { foundSupervisor, startSupervisor } from '../run/prestarted-supervisor.ts';
import type { Io } from './command.ts';

const started = new WeakMap<Io, PipedProcess>();

/** The folder of all devnets, absolute. */
export function homeOf(io: Io): string {
  return resolve(io.cwd, homeFolder(io.env));
}

/** The supervisor that the launcher has started, or a new one: it gets ready for its orders while this process still reads and plans. */
export function startEarly(io: Io): PipedProcess {
  const supervisor = foundSupervisor() ?? startSupervisor(entryPoint('supervisor'), io.env, io.cwd);
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
