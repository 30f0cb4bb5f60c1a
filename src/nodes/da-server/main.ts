import { readyRoute } from '../../rpc/server/ready-route.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { makeFolders } from '../../system/files/folder.ts';
import { loggerOf, VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import { type OptionValues, parseOptions } from '../../system/program/options.ts';
import { type Running, report, runUntilSignal } from '../../system/program/program.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import { listen } from '../service/listen.ts';
import { DA_SERVER_METHODS } from './methods.ts';
import { DA_SERVER_OPTIONS } from './options.ts';
import { daRoute } from './route.ts';
import { DaStore } from './store.ts';

const DA_SERVER_PROGRAM = 'devnet-da-server';

/** Runs `da-server` until a signal; returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const summary = 'Keeps the batches of a rollup with alternative DA, and answers them by their commitments';
    const usage = { name: DA_SERVER_PROGRAM, version: VERSION, summary, envPrefixes: ['DA_SERVER_'] };
    const { values, operands } = parseOptions(usage, DA_SERVER_OPTIONS, argv, env);
    const { dataDir } = values;
    if (operands.length > 0 || dataDir === undefined)
      throw new Failure('usage', `${DA_SERVER_PROGRAM}: ${operands[0] ?? '--datadir is missing'}`, {
        exit: EXIT.usage,
        hint: `${DA_SERVER_PROGRAM} --help lists the options`,
      });
    return await runUntilSignal(DA_SERVER_PROGRAM, () => startDaServer(values, dataDir, loggerOf(values)));
  } catch (error) {
    return report(DA_SERVER_PROGRAM, error);
  }
}

/** Starts the DA server. @throws Failure if its port is taken */
export async function startDaServer(
  values: OptionValues<typeof DA_SERVER_OPTIONS>,
  folder: string,
  log: Logger,
): Promise<Running & { readonly port: number }> {
  makeFolders(folder);
  const store = new DaStore(folder);
  const { rpcHost: host, rpcPort: port } = values;
  const [ready, data] = [readyRoute(), daRoute(store, log)];
  const server = await listen('rpc.port', {
    ...{ host, port },
    ...hostOriginPolicy(values),
    http: true,
    methods: DA_SERVER_METHODS,
    context: { store, version: VERSION },
    route: (request, response) => ready(request, response) || data(request, response),
  });
  log.info('DA server listens', { url: `http://${host}:${server.port}`, folder });
  return { port: server.port, failed: new Promise<never>(() => {}), stop: () => server.close() };
}
