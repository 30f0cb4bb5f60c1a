import { exists } from '../../system/folder.ts';

const SHELL = '/bin/sh';

/** Keeps every whole line that it reads. When there are no more it becomes the guard, which finds them at its standard input; without any it ends. */
const SCRIPT = `trap '' HUP INT TERM
told=
while IFS= read -r line; do
  told="$told$line
"
done
[ "$told" ] || exit 0
exec "$@" <<END
$told
END`;

/**
 * The command of a guard that is a shell until it has something to do: a Node process takes 30 ms of processor time to begin, while a network
 * starts and all need it; a shell takes one. Where there is no shell, the guard's own command.
 */
export function waitingGuard(guard: readonly string[]): readonly string[] {
  return exists(SHELL) ? [SHELL, '-c', SCRIPT, 'devnet-guard', ...guard] : guard;
}
