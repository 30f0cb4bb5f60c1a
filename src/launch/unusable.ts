import { EXIT, messageOf } from '../system/failure.ts';

/** Ends the process with exit code 4, and says which part of the package cannot be used, and how to replace it. */
export function sayUnusable(program: string, file: string, error: unknown): void {
  process.stderr.write(
    `${program}: cannot use ${file}: ${messageOf(error).split('\n')[0]}\n` +
      '  the package is damaged: install it again, or in a clone run make clean build\n',
  );
  process.exitCode = EXIT.lacking;
}

/** Whether a program failed for want of a package, before it ran: its own errors keep their stack. */
export function isMissingPackage(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'MODULE_NOT_FOUND';
}
