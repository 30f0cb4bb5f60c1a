import { EXIT } from '../../system/failure.ts';
import { devnetAt, isUp, phaseOf } from '../devnet/select.ts';
import { homeOf } from '../folder/home.ts';
import { pathsOf } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';
import { alreadyUp } from './already-up.ts';
import { resumeDevnet } from './resume-devnet.ts';

/**
 * Checks whether the devnet exists already. Returns an exit code if it is up, or stopped and would be lost.
 * Undefined: a new devnet may start.
 */
export async function reuse(io: Io, name: string, isReuse: boolean, budgetMs: number): Promise<number | undefined> {
  const devnet = devnetAt(pathsOf(homeOf(io), name));
  if (isUp(devnet)) {
    if (isReuse && devnet.owner) {
      io.stderr(`${name} is already up (supervisor ${devnet.owner.pid})\n`);
      return EXIT.done;
    }
    io.stderr(alreadyUp(name, { pid: devnet.owner?.pid ?? 0, since: devnet.owner?.since ?? 0 }));
    return EXIT.alreadyUp;
  }
  if (devnet.file.kind !== 'state' || phaseOf(devnet) !== 'stopped') return undefined;
  if (isReuse) return resumeDevnet(io, name, budgetMs);
  io.stderr(
    `devnet: ${name} is stopped; a new network would replace its chain\n` +
      `  run \`devnet start ${name}\` (or add --reuse) to resume it, or \`devnet down ${name}\` to remove it\n`,
  );
  return EXIT.alreadyUp;
}
