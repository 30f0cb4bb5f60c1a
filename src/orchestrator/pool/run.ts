import { EXIT, Failure } from '../../system/failure.ts';
import { loadSpec } from '../load/load-spec.ts';
import { freshName } from '../start/fresh-name.ts';
import type { Io } from '../terminal/io.ts';
import { type PoolStart, startPoolNetwork } from './network.ts';
import { Networks, type WorkerState } from './pool.ts';
import { servePool } from './server.ts';

/** What a pool is started with. */
export interface PoolRequest extends PoolStart {
  /** 0: any free one. Absent: 9502, or the next free one. */
  readonly port: number | undefined;
  /** Networks at a time. */
  readonly limit: number;
  /** The first part of the networks' names: a spec as its user named it. */
  readonly base: string | object | undefined;
}

/** A pool that serves. */
export interface RunningPool {
  /** Without a slash at its end. */
  readonly url: string;
  workers(): readonly WorkerState[];
  /** Takes down all networks, then the server. @throws Failure `pool` if not everything ended */
  close(): Promise<void>;
}

/** Starts a pool. @throws Failure `spec`, `usage` (exit 2), `port` (exit 4) */
export async function startPool(io: Io, { port, limit, base, ...start }: PoolRequest): Promise<RunningPool> {
  if (!(Number.isInteger(limit) && limit > 0))
    throw new Failure('usage', `limit: expected an integer above 0, found ${JSON.stringify(limit)}`, {
      exit: EXIT.usage,
    });
  // A wrong spec ends the pool, not each start.
  if (start.from === undefined) await loadSpec(io, start.input);
  const networks = new Networks(limit, async (worker, signal) => {
    const began = Date.now();
    const network = await startPoolNetwork(io, freshName(base, worker), start, signal);
    io.stderr(`${worker}: ${network.name} is ready after ${((Date.now() - began) / 1000).toFixed(2)} s\n`);
    return network;
  });
  const server = await servePool(port, limit, networks);
  return {
    url: `http://127.0.0.1:${server.port}`,
    workers: () => networks.list(),
    close: () => networks.close().finally(() => server.close()),
  };
}
