import type { WorkerState } from '../orchestrator/pool/pool.ts';
import { startPool } from '../orchestrator/pool/run.ts';
import { budgetsOf } from '../orchestrator/start/ready-budget.ts';
import { translateErrors } from './network/errors.ts';
import { type HostOptions, hostIo } from './network/host.ts';
import { type StartOptions, setsOf, specOf } from './start.ts';

export type { WorkerState } from '../orchestrator/pool/pool.ts';
export { DevnetError, PrerequisiteError, SpecError, UsageError } from './network/errors.ts';

/** The network of each worker, and where the networks are served. */
export interface PoolOptions
  extends HostOptions,
    Pick<StartOptions, 'spec' | 'set' | 'clock' | 'from' | 'budget' | 'budgets'> {
  /** 0: any free one. Default: 9502, or the next free one. */
  readonly port?: number;
  /** Networks at a time. Default: 8. */
  readonly limit?: number;
}

/** Networks by HTTP on loopback, one for each worker of a test runner. */
export interface Pool extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. `GET /WORKER/start` below it returns the variables of a network as JSON. */
  readonly url: string;
  /** Returns the workers that have a network. */
  workers(): readonly WorkerState[];
  /** Takes down all networks, then the server. @throws DevnetError if not everything ended */
  close(): Promise<void>;
}

/**
 * Serves networks to tests of any language: GET or POST `/WORKER/start`, `/WORKER/stop`, `/WORKER/restart` and
 * `/WORKER/logs`, where WORKER is any short word. Each worker has a network of its own at any free ports. All of them
 * end with the pool (`await using`, or `close()`), and with this process, however that ends.
 * @throws SpecError if the spec is wrong, PrerequisiteError if the port is taken, UsageError
 */
export async function createPool(options: PoolOptions = {}): Promise<Pool> {
  const { spec, from, port, limit = 8 } = options;
  const io = await hostIo(options);
  const pool = await translateErrors(io, () =>
    startPool(io, {
      ...budgetsOf(io, options),
      input: { spec: specOf(spec, 'devnet'), set: setsOf(options), manual: [] },
      ...{ from, port, limit, base: spec },
    }),
  );
  const close = () => translateErrors(io, () => pool.close());
  return { url: pool.url, workers: () => pool.workers(), close, [Symbol.asyncDispose]: close };
}
