import type { Check } from './check.ts';
import { processes } from './clients.ts';

const ALLOWED = 'the path of an executable file, or the name of a program on the PATH';

/** Every program that the devnet will start is there and can be executed. */
export const programs: Check = (context) => {
  const { machine } = context;
  if (machine === undefined) return;
  for (const { path, process, external } of processes(context)) {
    // A process that is started by hand may be built later.
    if (external || process.runtime !== 'process' || process.launch === 'manual') continue;
    const program = process.binary ?? context.clients.get(process.client)?.program ?? undefined;
    const fault = program === undefined ? undefined : machine.programFault(program);
    if (fault === undefined) continue;
    const place = process.binary === undefined ? 'client' : 'binary';
    context.report([...path, place], 'binary', `the program ${program} ${fault}`, { allowed: ALLOWED });
  }
};
