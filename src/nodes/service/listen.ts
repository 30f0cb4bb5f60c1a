import type { HostOriginPolicy } from '../../rpc/server/host-origin.ts';
import { type RunningServer, type ServerOptions, serve } from '../../rpc/server/server.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Running } from '../../system/program/program.ts';

/**
 * Serves a program's API. `portOption` is named in the failure.
 * @throws Failure `listen` (exit 4) on a port that is taken
 */
export function listen<Context>(
  portOption: string,
  options: Omit<ServerOptions<Context>, 'websocket'> & Required<HostOriginPolicy>,
): Promise<RunningServer> {
  return listening(portOption, options, serve({ ...options, websocket: false }));
}

/** Turns a listen error into a failure that names the option. @throws Failure `listen` (exit 4) */
export function listening<Server>(
  portOption: string,
  { host, port }: { readonly host: string; readonly port: number },
  server: Promise<Server>,
): Promise<Server> {
  return server.catch((cause) => {
    throw new Failure('listen', `cannot listen on ${host}:${port}`, {
      exit: EXIT.lacking,
      data: { host, port },
      hint: `another process holds the port: stop it, or give --${portOption}`,
      cause,
    });
  });
}

/** Wraps a program's work: `failed` rejects with it, and `stop` ends it and waits for its end. */
export function running(work: Promise<unknown>, stop: () => Promise<void>): Running {
  return {
    failed: work.then(() => new Promise<never>(() => {})),
    async stop() {
      await stop();
      await work.catch(() => {});
    },
  };
}
