import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** Returns why a program cannot be executed; undefined if it can. A bare name is searched on the PATH. */
export function programFault(program: string, path: string | undefined): string | undefined {
  if (!program.includes('/')) {
    const isOnPath = (path ?? '')
      .split(delimiter)
      .some((folder) => folder !== '' && isExecutable(join(folder, program)));
    return isOnPath ? undefined : 'is not on the PATH';
  }
  const file = isAbsolute(program) ? program : resolve(program);
  if (!existsSync(file)) return 'does not exist';
  if (!statSync(file).isFile()) return 'is not a file';
  return isExecutable(file) ? undefined : 'is not executable (chmod +x)';
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
