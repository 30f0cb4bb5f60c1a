import type { RpcClient } from '../../../rpc/client/client.ts';
import type { MethodTable } from '../../../rpc/method.ts';
import { readyRoute } from '../../../rpc/server/ready-route.ts';
import type { Channel } from '../../../system/channel/channel.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { OptionValues } from '../../../system/program/options.ts';
import type { Running } from '../../../system/program/program.ts';
import { hostOriginPolicy } from '../../service/host-origin.ts';
import { listen } from '../../service/listen.ts';
import type { Account } from '../account.ts';
import { type Startable, startableCheckpoints } from '../checkpoints.ts';
import { dialRpc } from '../connect.ts';
import { type L1Backend, l1Backend } from '../l1-backend.ts';
import { type TxManager, txManager } from '../txmgr.ts';
import { type ENDPOINT_OPTIONS, type TXMGR_OPTIONS, txManagerOptions } from './options.ts';

/** Values of the options that all such services have. */
type ServiceValues = OptionValues<typeof TXMGR_OPTIONS & typeof ENDPOINT_OPTIONS> & { readonly pollInterval: number };

/** A running service with its own RPC. */
export interface RunningService extends Running {
  /** Port of its own RPC. */
  readonly port: number;
}

/** The clients of a service. */
export interface ServiceClients {
  readonly rpc: RpcClient;
  readonly l1: L1Backend;
  readonly node: RpcClient;
  readonly sender: TxManager;
  /** Milliseconds of the clock. */
  readonly pollInterval: number;
  readonly channel: Channel;
  readonly log: Logger;
}

/** What a service does beside connecting. */
export interface ServiceWork<Context> {
  /** For the log: `Proposer`. */
  readonly title: string;
  /**
   * Works until aborted. `connected` is called once L1 and the rollup node have answered: until then the service counts
   * as busy.
   */
  work(clients: ServiceClients, connected: () => void, signal: AbortSignal): Promise<void>;
  /** Returns its own RPC. */
  api(
    clients: ServiceClients,
    control: Startable,
  ): { readonly methods: MethodTable<Context>; readonly context: Context };
}

/**
 * Starts a service that reads L1 and a rollup node, and sends from one account. Its RPC answers at once.
 * @throws Failure if its port is taken
 */
export async function startService<Context>(
  values: ServiceValues,
  account: Account,
  { title, work, api }: ServiceWork<Context>,
  log: Logger,
  channel: Channel,
): Promise<RunningService> {
  const rpc = dialRpc(values.l1, values.networkTimeout);
  const node = dialRpc(values.rollup, values.networkTimeout);
  const l1 = l1Backend(rpc);
  const pollInterval = Math.max(values.pollInterval, 50);
  const sender = txManager(l1, account, txManagerOptions(values), log, channel);
  const connecting = channel.activity();
  channel.report(() => ({ kind: 'poster' }));
  const clients: ServiceClients = { rpc, l1, node, sender, pollInterval, channel, log };
  let tellBroken: (error: unknown) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    tellBroken = reject;
  });
  let run: { readonly ending: AbortController; readonly done: Promise<void> } | undefined;

  const control: Startable = {
    get running() {
      return run !== undefined;
    },
    start() {
      const ending = new AbortController();
      connecting.busy();
      const done = work(clients, () => connecting.idle(), ending.signal)
        .catch((error: unknown) => {
          if (!ending.signal.aborted) tellBroken(error);
        })
        .finally(() => ending.signal.aborted && connecting.idle());
      run = { ending, done };
    },
    async stop() {
      const current = run;
      run = undefined;
      current?.ending.abort();
      await current?.done;
      log.info(`${title} stopped`);
    },
  };
  const { rpcHost: host, rpcPort: port } = values;
  const served = { host, port, ...hostOriginPolicy(values), http: true, ...api(clients, control), route: readyRoute() };
  const server = await listen('rpc.port', served);
  log.info(`${title} listens`, { address: `http://${host}:${server.port}`, account: account.address });
  control.start();
  channel.onCheckpoints(startableCheckpoints(control, sender));
  return {
    port: server.port,
    failed: broken,
    async stop() {
      const stopped = control.stop();
      await server.close();
      rpc.close();
      node.close();
      await stopped;
      await sender.idle();
    },
  };
}
