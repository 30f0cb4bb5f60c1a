import { type PortHolder, portHolder } from '../../system/ports.ts';
import { processTable } from '../../system/process-table.ts';

/** Characters of a foreign command line that a message shows. */
const SHOWN = 80;

/** Names the process that listens on a TCP port; undefined where the system does not tell. */
export function describeHolderOf(port: number): string | undefined {
  const holder = portHolder(port);
  return holder && describeHolder(holder);
}

/** Names a process by the task and devnet of its environment stamp, any other by the start of its command line. */
export function describeHolder({ pid, command }: PortHolder): string {
  const stamp = processTable().environment(pid) ?? [];
  const stamped = (key: string) => stamp.find((entry) => entry.startsWith(`${key}=`))?.slice(key.length + 1);
  const [devnet, task] = [stamped('DEVNET_NAME'), stamped('DEVNET_TASK')];
  if (devnet !== undefined && task !== undefined) return `process ${pid}, ${task} of the devnet ${devnet}`;
  return `process ${pid}, ${command.length > SHOWN ? `${command.slice(0, SHOWN)}…` : command}`;
}
