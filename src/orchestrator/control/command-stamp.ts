import { identify } from '../../system/process/identity.ts';

/** Variable by which the command of a user is found that `exec` or `pool` runs, with all that it starts. */
const COMMAND_OF = 'DEVNET_COMMAND_OF';

/** Returns the environment of a command that a process runs for its user. */
export function commandStamp(pid: number): Readonly<Record<string, string>> {
  return { [COMMAND_OF]: `${pid}.${identify(pid)?.started ?? ''}` };
}

/** Returns the traces of such a command and of what it starts. */
export function commandTraces(pid: number): { readonly stamp: readonly string[]; readonly descendants: readonly [] } {
  return { stamp: Object.entries(commandStamp(pid)).map(([name, value]) => `${name}=${value}`), descendants: [] };
}
