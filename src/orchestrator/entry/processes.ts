import { EXIT, Failure } from '../../system/failure.ts';
import { makeFolders } from '../../system/files/folder.ts';
import { type Foreground, runForeground } from '../../system/process/foreground.ts';
import { inheritedEnvironment } from '../../system/process/process.ts';
import { commandNow } from '../folder/files.ts';
import type { Command, Task } from '../plan/plan.ts';

/** The running processes of a unit. They write to the unit's own output, which its engine keeps. */
export interface UnitProcesses {
  /** Rejects when a process ends by itself. Never resolves. */
  readonly failed: Promise<never>;
  /** Ends them in the reverse order of their start. Resolves when all have ended. */
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs the commands that prepare a task, one after another. @throws Failure `unit` if one fails */
export async function prepareTask({ id, prepare }: Task, env: Environment): Promise<void> {
  for (const command of prepare) {
    const code = await start(command, env).exited;
    if (code === 0) continue;
    if (code instanceof Failure) throw code;
    throw endedFailure(id, `while it prepared its data: ${command.argv.join(' ')}`, code);
  }
}

/** Starts the processes of a unit. An exit of one of them is a failure of the unit, which its engine starts again. */
export function startTasks(tasks: readonly Task[], env: Environment): UnitProcesses {
  const running = tasks.map((task) => ({ task, process: start(commandNow(task).command, env) }));
  let isStopping = false;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  for (const { task, process } of running)
    void process.exited.then((code) => {
      if (isStopping) return;
      failed.reject(code instanceof Failure ? code : endedFailure(task.id, 'by itself', code));
    });
  return {
    failed: failed.promise,
    async stop() {
      isStopping = true;
      for (const { task, process } of running.toReversed()) {
        process.end(task.kind === 'beacon' ? BEACON_GRACE_MS : task.stop.graceMs);
        await process.exited;
      }
    },
  };
}

/** Time (ms) for a beacon node to write the state of L1 at its stop. */
const BEACON_GRACE_MS = 50_000;

function start({ argv, cwd, env }: Command, inherited: Environment): Foreground {
  makeFolders(cwd);
  return runForeground(argv, { ...inheritedEnvironment(inherited), ...env }, cwd);
}

function endedFailure(task: string, when: string, code: number): Failure {
  return new Failure('unit', `${task} ended ${when} with code ${code}`, {
    exit: EXIT.failed,
    data: { task, code },
    hint: 'its own words stand above',
  });
}
