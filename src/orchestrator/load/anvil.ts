import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { exists } from '../../system/files/folder.ts';

/**
 * Finds anvil's platform binary: `$ANVIL`, the installed package, or `anvil` in PATH. The npm shim is avoided,
 * because it would stay as a second process.
 */
export function anvilPath(env: Readonly<Record<string, string | undefined>>): string {
  if (env['ANVIL']) return env['ANVIL'];
  const platform = process.platform === 'win32' ? 'win32' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  const require = createRequire(import.meta.url);
  try {
    const shim = dirname(require.resolve('@foundry-rs/anvil/package.json'));
    // The platform's package lies beside the shim or below it, depending on the package manager.
    for (const folder of [
      join(shim, '..', `anvil-${platform}-${arch}`),
      join(shim, 'node_modules', '@foundry-rs', `anvil-${platform}-${arch}`),
    ]) {
      const path = join(folder, 'bin', name);
      if (exists(path)) return path;
    }
  } catch {
    // Not installed: the PATH may have one.
  }
  return 'anvil';
}
