import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { EXIT, Failure } from '../../../system/failure.ts';
import { printable } from '../../../system/files/lines.ts';
import { runCaptured } from '../../../system/process/captured.ts';
import { argvOf } from '../../spec/resolve/command.ts';
import { command, text, whole, withDescription } from '../../spec/schema/words.ts';
import { commandEnvironment } from '../../start/command-environment.ts';
import { stampOf } from '../../state/paths.ts';
import { defineStep } from '../step.ts';
import { as, duration } from '../words.ts';

/** Time (ms) after which a command is ended. */
const COMMAND_TIMEOUT_MS = 60_000;

/** Characters of each stream in the evidence. */
const MAX_OUTPUT_CHARS = 4000;

const long = z.strictObject({
  run: command,
  exits: z._default(withDescription(whole(0, 255), 'the expected exit code'), 0),
  stdout: z.exactOptional(withDescription(text, 'a regular expression that the output must match')),
  timeout: z.exactOptional(withDescription(duration, 'end it after this time; default: 60s')),
  as,
});

/** Runs a program of the user's. */
export const exec = defineStep({
  name: 'exec',
  summary: 'Runs a command with the variables of `devnet env`, and expects an exit code and an output.',
  schema: z.union([
    z.codec(command, z.custom<z.output<typeof long>>(), {
      decode: (run) => ({ run, exits: 0 }),
      encode: () => z.NEVER,
    }),
    long,
  ]),
  gives: ['code', 'stdout', 'stderr'],
  check({ stdout }, { report }) {
    if (stdout !== undefined && patternOf(stdout) === undefined)
      report(['stdout'], 'not a regular expression', { allowed: 'a regular expression of JavaScript' });
  },
  async run({ run: command, exits, stdout: pattern, timeout = COMMAND_TIMEOUT_MS }, run) {
    const { paths } = run.devnet();
    const options = {
      // The stamp lets the devnet's teardown end what the command leaves behind.
      env: { ...commandEnvironment(run.io, run.plan()), ...stampOf(paths) },
      cwd: resolve(run.io.cwd),
      timeoutMs: timeout,
      signal: run.signal,
    };
    const captured = await run.time.running(() => runCaptured(argvOf(command), options));
    run.signal.throwIfAborted();
    const evidence = { code: captured.code, stdout: outputEnd(captured.stdout), stderr: outputEnd(captured.stderr) };
    const problem = captured.late
      ? `it did not end within ${timeout / 1000} s`
      : captured.large
        ? 'it printed more than 1 MiB'
        : captured.code !== exits
          ? `it exited with ${captured.code}, expected ${exits}`
          : pattern !== undefined && !(patternOf(pattern)?.test(captured.stdout.trim()) ?? false)
            ? `its output does not match ${pattern}`
            : undefined;
    if (problem === undefined) return evidence;
    const last = captured.stderr.trim().split('\n').at(-1) ?? '';
    throw new Failure('exec', last === '' ? problem : `${problem}: ${printable(last)}`, {
      exit: EXIT.failed,
      data: evidence,
    });
  },
});

function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'm');
  } catch {
    return undefined;
  }
}

/** Shortens an output to its end. */
function outputEnd(output: string): string {
  const trimmed = output.trim();
  return trimmed.length > MAX_OUTPUT_CHARS ? `…${trimmed.slice(-MAX_OUTPUT_CHARS)}` : trimmed;
}
