import { resolve } from 'node:path';
import { type PipedProcess, startPiped } from '../../system/process/piped.ts';
import { definedVariables, inheritedEnvironment } from '../../system/process/process.ts';
import { entryPoint } from '../../system/program/entry.ts';
import { privateHome } from '../folder/private-home.ts';
import { cacheFolder, homeFolder } from '../state/paths.ts';

/**
 * Starts a supervisor, which waits for its order. Of the environment it gets what the processes of a network get, and
 * the variables of OpenTelemetry, by which it sends traces.
 * `NODE_OPTIONS` could load code into it or open a debugger, `NODE_USE_ENV_PROXY` would send its probes to a proxy.
 * @throws Failure `home` (exit 4)
 */
export function startSupervisor(env: Readonly<Record<string, string | undefined>>, cwd: string): PipedProcess {
  const home = resolve(cwd, homeFolder(env));
  // Node would make the folder of its cache, and those above it, readable for everyone.
  privateHome(home);
  return startPiped(
    [process.execPath, '--min-semi-space-size=1', '--max-semi-space-size=2', entryPoint('supervisor')],
    {
      // As for the processes of a network.
      MALLOC_ARENA_MAX: '1',
      MALLOC_TRIM_THRESHOLD_: '131072',
      MALLOC_MMAP_THRESHOLD_: '131072',
      // The processes of a network run a few programs, each of which is compiled once.
      NODE_COMPILE_CACHE: cacheFolder(home, 'code'),
      ...inheritedEnvironment(env),
      ...Object.fromEntries(Object.entries(definedVariables(env)).filter(([name]) => name.startsWith('OTEL_'))),
      DEVNET_HOME: home,
      DEVNET_PROCESS: 'supervisor',
    },
  );
}
