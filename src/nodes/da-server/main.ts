import { makeFolders } from '../../system/files/folder.ts';
import { loggerOf, VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import type { OptionValues } from '../../system/program/options.ts';
import type { Running } from '../../system/program/program.ts';
import { listenAt, mustHave, runServer } from '../service/server-program.ts';
import { DA_SERVER_METHODS } from './methods.ts';
import { DA_SERVER_OPTIONS } from './options.ts';
import { daRoute } from './route.ts';
import { DaStore } from './store.ts';

const DA_SERVER_PROGRAM = 'devnet-da-server';

/** Runs `da-server` until a signal; returns the exit code. */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runServer(
    {
      name: DA_SERVER_PROGRAM,
      summary: 'Keeps the batches of a rollup with alternative DA, and answers them by their commitments',
      envPrefixes: ['DA_SERVER_'],
      options: DA_SERVER_OPTIONS,
      start: async (values) =>
        startDaServer(values, mustHave(DA_SERVER_PROGRAM, '--datadir', values.dataDir), loggerOf(values)),
    },
    argv,
    env,
  );
}

/** Starts the DA server. @throws Failure if its port is taken */
export async function startDaServer(
  values: OptionValues<typeof DA_SERVER_OPTIONS>,
  folder: string,
  log: Logger,
): Promise<Running & { readonly port: number }> {
  makeFolders(folder);
  const store = new DaStore(folder);
  const server = await listenAt(values, {
    methods: DA_SERVER_METHODS,
    context: { store, version: VERSION },
    route: daRoute(store, log),
  });
  log.info('DA server listens', { url: `http://${values.rpcHost}:${server.port}`, folder });
  return { port: server.port, failed: new Promise<never>(() => {}), stop: () => server.close() };
}
