import { Socket } from 'node:net';
import { EXIT, Failure, messageOf, SYSTEM_HINTS, systemCode } from '../failure.ts';
import { pause } from '../time/pause.ts';
import { quietWriter } from './output.ts';
import { sourceStack, tellSources } from './source-stack.ts';
import { LIFELINE } from './starter-pipes.ts';

/** A started program: it runs until stopped or until `failed` rejects. */
export interface Running {
  stop(): Promise<void>;
  /** Rejects when the program cannot go on; never resolves. */
  readonly failed: Promise<never>;
  /** Resolves when there is nothing more to do, in a program that ends by itself. */
  readonly done?: Promise<void>;
}

/** Ends the programs of this process, which are several in tests alone. */
const programs = new Set<() => void>();

function endPrograms(): void {
  for (const end of programs) end();
}

/** A signal that arrives while a process exits has no effect, so the listeners stay. */
function followSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    if (!process.listeners(signal).includes(endPrograms)) process.on(signal, endPrograms);
}

/** Time (ms) for a program to stop after its starter is gone. The programs it talks to end at the same time. */
const ORPHAN_STOP_MS = 1000;

/**
 * Runs a program until SIGTERM, SIGINT or a broken lifeline, and returns its exit code.
 * The code is 0 after a clean stop, otherwise the failure's own. Only a composition root (src/bin) may pass it to the
 * process.
 */
export async function runUntilSignal(name: string, start: () => Promise<Running | undefined>): Promise<number> {
  tellSources();
  const signalled = Promise.withResolvers<'signal'>();
  const end = () => signalled.resolve('signal');
  followSignals();
  programs.add(end);
  const alone = lifelineBroken(process.env)?.then(() => 'alone' as const) ?? new Promise<never>(() => undefined);
  try {
    const running = await Promise.race([start(), alone]);
    if (running === undefined) return EXIT.done;
    if (running === 'alone') return endAlone(name);
    const ends = [signalled.promise, alone, running.failed, ...(running.done === undefined ? [] : [running.done])];
    // A failure is reported before the stop, whose own failures follow from it.
    const code = await Promise.race(ends).then(
      (end) => (end === 'alone' ? endAlone(name) : EXIT.done),
      (error: unknown) => report(name, error),
    );
    const late = alone.then(() => pause(ORPHAN_STOP_MS, new AbortController().signal)).then(() => code);
    return await Promise.race([codeAfterStop(name, running, code), late]);
  } catch (error) {
    return report(name, error);
  } finally {
    programs.delete(end);
  }
}

/** Stops a program, and returns `code`, or the stop's own if that is 0. */
async function codeAfterStop(name: string, running: Running, code: number): Promise<number> {
  try {
    await running.stop();
    return code;
  } catch (error) {
    const stopCode = report(name, error);
    return code === EXIT.done ? stopCode : code;
  }
}

function endAlone(name: string): number {
  say('stderr', `${name}: the supervisor that started this program is gone, so it ends\n`);
  return EXIT.failed;
}

/** Resolves when the process that started this one is gone. Undefined for a program that was started by hand. */
function lifelineBroken(env: Record<string, string | undefined>): Promise<void> | undefined {
  const fd = Number(env[LIFELINE] ?? Number.NaN);
  delete env[LIFELINE];
  if (!Number.isSafeInteger(fd)) return undefined;
  try {
    const pipe = new Socket({ fd, readable: true, writable: false });
    const broken = new Promise<void>((resolve) => {
      pipe.once('end', resolve).once('close', () => resolve());
      pipe.on('error', () => resolve());
    });
    pipe.resume().unref();
    return broken;
  } catch {
    // The variable came from elsewhere: there is no pipe at that descriptor.
    return undefined;
  }
}

/** Ends this process by SIGTERM when its starter is gone. Without effect if it has no lifeline. */
export function followStarter(env: Record<string, string | undefined>): void {
  void lifelineBroken(env)?.then(() => process.kill(process.pid, 'SIGTERM'));
}

/** Prints a failure and returns its exit code. */
export function report(name: string, error: unknown): number {
  if (error instanceof Failure) {
    if (error.code === 'help') say('stdout', `${error.message}\n`);
    else {
      const prefix = error.message.startsWith(name) ? '' : `${name}: `;
      say('stderr', `${prefix}${messageOf(error)}\n${error.hint ? `  ${error.hint}\n` : ''}`);
    }
    return error.exit;
  }
  const code = systemCode(error);
  if (code !== undefined) {
    const hint = SYSTEM_HINTS[code];
    say('stderr', `${name}: ${messageOf(error)}\n${hint === undefined ? '' : `  ${hint}\n`}`);
    return EXIT.lacking;
  }
  say('stderr', `${name}: ${error instanceof Error ? sourceStack(error) : String(error)}\n`);
  return 1;
}

/** Ignores a reader that is gone. */
function say(stream: 'stdout' | 'stderr', text: string): void {
  quietWriter(process[stream])(text);
}
