import { EXIT, Failure } from '../../system/failure.ts';
import { FOLDER_SPEC } from '../load/find-spec.ts';
import type { Io } from '../terminal/io.ts';

/** Returns the name that the environment gives; an empty one is none. */
export function nameOfShell({ env }: Io): string | undefined {
  return env['DEVNET_NAME'] || undefined;
}

/** Returns the name that `./devnet.yaml` gives. @throws Failure `which` (exit 2) if it cannot be read */
export function nameOfFolder({ folderDevnet }: Io): string | undefined {
  if (folderDevnet?.kind !== 'unreadable') return folderDevnet?.name;
  throw new Failure('which', `cannot tell which devnet ./${FOLDER_SPEC} names: ${folderDevnet.problem}`, {
    exit: EXIT.usage,
    hint: 'correct it (`devnet validate` shows all of it), or name a devnet with --name',
  });
}

/**
 * Returns the name that shell and folder give to a command without one; undefined if they give none.
 * @throws Failure `which` (exit 2) if `./devnet.yaml` cannot be read
 */
export function givenName(io: Io): string | undefined {
  return nameOfShell(io) ?? nameOfFolder(io);
}
