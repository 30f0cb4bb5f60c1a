import { resolve } from 'node:path';
import type { Plan } from '../plan/plan.ts';
import type { AfterCommand } from '../processes/after.ts';
import { argvOf } from '../spec/resolve/command.ts';
import type { Spec } from '../spec/schema/types.ts';
import type { Io } from '../terminal/io.ts';
import { commandEnvironment } from './command-environment.ts';

/** Returns the commands of a spec's `after` as a network's supervisor runs them: in the user's folder, as by `exec`. */
export function afterCommands(io: Io, { after }: Spec, plan: Plan): readonly AfterCommand[] {
  if (after.length === 0) return [];
  const env = commandEnvironment(io, plan);
  return after.map((command) => ({
    name: typeof command === 'string' ? command : command.join(' '),
    argv: argvOf(command),
    cwd: resolve(io.cwd),
    env,
  }));
}
