import { EXIT, Failure } from '../../system/failure.ts';
import { type PortHolder, portHolder } from '../../system/net/ports.ts';
import { processTable } from '../../system/process/table.ts';

/** Characters of another program's command line in a message. */
const MAX_COMMAND_CHARS = 80;

/** What a holder is described by: its process, or the devnet that it belongs to, if it does. */
export type HolderDetail = 'process' | 'devnet';

/** Describes the process that listens on a TCP port. Undefined if the system hides it. */
export function describeHolderOf(port: number, detail: HolderDetail = 'process'): string | undefined {
  const holder = portHolder(port);
  return holder && describeHolder(holder, detail);
}

/** Describes a process by the task and devnet of its stamp, else by its command line. */
export function describeHolder({ pid, command }: PortHolder, detail: HolderDetail = 'process'): string {
  const stamp = processTable().environment(pid) ?? [];
  const stamped = (key: string) => stamp.find((entry) => entry.startsWith(`${key}=`))?.slice(key.length + 1);
  const [devnet, task] = [stamped('DEVNET_NAME'), stamped('DEVNET_TASK')];
  if (devnet !== undefined && detail === 'devnet') return `the devnet ${devnet}`;
  if (devnet !== undefined && task !== undefined) return `process ${pid}, ${task} of the devnet ${devnet}`;
  return `process ${pid}, ${command.length > MAX_COMMAND_CHARS ? `${command.slice(0, MAX_COMMAND_CHARS)}…` : command}`;
}

/** A port that a devnet needs and something else holds. */
export interface TakenPort {
  readonly key: string;
  readonly port: number;
  readonly holder: string;
}

/** Returns the failure (`port`, exit 4) of taken ports, as one line that groups them by holder. */
export function portsTaken(ports: readonly TakenPort[], hint: string): Failure {
  const [first, ...others] = ports;
  const words =
    first !== undefined && others.length === 0
      ? `port ${first.port} (${first.key}) is taken: ${first.holder}`
      : `${ports.length} ports are taken: ${byHolder(ports, namesAndHolder)}`;
  return new Failure('port', words, { exit: EXIT.lacking, data: { ports: ports.map(({ port }) => port) }, hint });
}

/** Formats ports as one text, those of each holder together. */
export function byHolder<T extends { readonly holder: string }>(
  ports: readonly T[],
  textOf: (ports: readonly T[], holder: string) => string,
): string {
  const groups = Object.entries(Object.groupBy(ports, ({ holder }) => holder));
  return groups.map(([holder, group = []]) => textOf(group, holder)).join('; ');
}

function namesAndHolder(ports: readonly TakenPort[], holder: string): string {
  return `${ports.map(({ key, port }) => `${port} (${key})`).join(', ')}: ${holder}`;
}
