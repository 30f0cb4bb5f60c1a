import type { HostOriginPolicy } from '../../rpc/host-origin.ts';
import { type RunningServer, type ServerOptions, serve } from '../../rpc/server.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Running } from '../../system/program.ts';

/** Serves a program's own API; `portOption` is named where the port is taken. @throws Failure `listen` (exit 4) there */
export function listen<Context>(
  portOption: string,
  options: Omit<ServerOptions<Context>, 'websocket'> & Required<HostOriginPolicy>,
): Promise<RunningServer> {
  return listening(portOption, options, serve({ ...options, websocket: false }));
}

/** Names the option where a server cannot listen. @throws Failure `listen` (exit 4) there */
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

/** What a program shows of its work: it fails with the work, and a stop ends the work's `pieces` in their order and waits for it. */
export function running(work: Promise<unknown>, stop: () => Promise<void>): Running {
  return {
    failed: work.then(() => new Promise<never>(() => {})),
    async stop() {
      await stop();
      await work.catch(() => {});
    },
  };
}
