import { EXIT } from '../../system/failure.ts';
import { pathsOf } from '../run/paths.ts';
import { alreadyUp } from './already-up.ts';
import type { Io } from './command.ts';
import { homeOf } from './home.ts';
import { resumeDevnet } from './resume-devnet.ts';
import { devnetAt, isUp, phaseOf } from './select.ts';

/**
 * Checks whether the devnet exists already. Returns an exit code where it is up, or stopped and would be lost.
 * Undefined: a new devnet may start.
 */
export async function reuse(io: Io, name: string, wanted: boolean, budgetMs: number): Promise<number | undefined> {
  const devnet = devnetAt(pathsOf(homeOf(io), name));
  if (isUp(devnet)) {
    if (wanted && devnet.owner) {
      io.stderr(`${name} is already up (supervisor ${devnet.owner.pid})\n`);
      return EXIT.done;
    }
    io.stderr(alreadyUp(name, { pid: devnet.owner?.pid ?? 0, since: devnet.owner?.since ?? 0 }));
    return EXIT.alreadyUp;
  }
  if (devnet.file.kind !== 'state' || phaseOf(devnet) !== 'stopped') return undefined;
  if (wanted) return resumeDevnet(io, name, budgetMs);
  io.stderr(
    `devnet: ${name} is stopped; a new network would replace its chain\n` +
      `  run \`devnet start ${name}\` (or add --reuse) to resume it, or \`devnet down ${name}\` to remove it\n`,
  );
  return EXIT.alreadyUp;
}
