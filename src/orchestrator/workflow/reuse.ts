import { EXIT } from '../../system/failure.ts';
import { pathsOf } from '../run/paths.ts';
import type { Io } from './command.ts';
import { homeOf } from './home.ts';
import { resumeDevnet } from './resume-devnet.ts';
import { devnetAt, isUp, phaseOf } from './select.ts';

/**
 * Looks whether the devnet to be started is there already. Returns the exit code where that settles it: it is up, or it is stopped and would
 * be lost. Undefined where a new one is to be started.
 */
export async function reuse(io: Io, name: string, wanted: boolean, budgetMs: number): Promise<number | undefined> {
  const devnet = devnetAt(pathsOf(homeOf(io), name));
  if (isUp(devnet)) {
    if (wanted && devnet.owner) {
      io.stderr(`${name} is up already (supervisor ${devnet.owner.pid})\n`);
      return EXIT.done;
    }
    io.stderr(
      `devnet: ${name} is up already: supervisor ${devnet.owner?.pid}, since ${new Date(devnet.owner?.since ?? 0).toISOString()}\n  devnet down ${name} ends it; --reuse takes it as it is\n`,
    );
    return EXIT.alreadyUp;
  }
  if (devnet.file.kind !== 'state' || phaseOf(devnet) !== 'stopped') return undefined;
  if (wanted) return resumeDevnet(io, name, budgetMs);
  io.stderr(
    `devnet: ${name} is stopped, and a new one would replace its chain\n  devnet start ${name} (or --reuse) goes on with it; devnet down ${name} removes it\n`,
  );
  return EXIT.alreadyUp;
}
