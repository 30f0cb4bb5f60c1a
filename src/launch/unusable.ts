import { EXIT, messageOf } from '../system/failure.ts';
import { terminalText } from '../system/program/terminal-text.ts';

/** Reports which file of the package cannot be used and how to replace it. Sets exit code 4. */
export function sayUnusable(program: string, file: string, error: unknown): void {
  process.stderr.write(
    terminalText(`${program}: cannot use ${file}: ${messageOf(error).split('\n')[0]}\n`) +
      '  the package is damaged: install it again, or in a clone run make clean build\n',
  );
  process.exitCode = EXIT.lacking;
}

/** Returns whether a program failed for lack of a package before it ran. Its own errors keep their stack. */
export function isMissingPackage(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'MODULE_NOT_FOUND';
}
