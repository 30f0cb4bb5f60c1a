import { type PortHolder, portHolder } from '../../system/net/ports.ts';
import { processTable } from '../../system/process/table.ts';

/** Characters of another program's command line in a message. */
const SHOWN = 80;

/** Describes the process that listens on a TCP port. Undefined where the system hides it. */
export function describeHolderOf(port: number): string | undefined {
  const holder = portHolder(port);
  return holder && describeHolder(holder);
}

/** Describes a process by the task and devnet of its stamp, else by its command line. */
export function describeHolder({ pid, command }: PortHolder): string {
  const stamp = processTable().environment(pid) ?? [];
  const stamped = (key: string) => stamp.find((entry) => entry.startsWith(`${key}=`))?.slice(key.length + 1);
  const [devnet, task] = [stamped('DEVNET_NAME'), stamped('DEVNET_TASK')];
  if (devnet !== undefined && task !== undefined) return `process ${pid}, ${task} of the devnet ${devnet}`;
  return `process ${pid}, ${command.length > SHOWN ? `${command.slice(0, SHOWN)}…` : command}`;
}
