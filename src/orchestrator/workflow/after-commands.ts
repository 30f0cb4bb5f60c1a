import { resolve } from 'node:path';
import type { Plan } from '../plan/plan.ts';
import type { AfterCommand } from '../run/after.ts';
import { argvOf } from '../spec/command.ts';
import type { Spec } from '../spec/spec.ts';
import type { Io } from './command.ts';
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
