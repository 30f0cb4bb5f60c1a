import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import type { PoolNetwork } from './network.ts';

/** A worker of a test runner and its network. */
export interface WorkerState {
  readonly worker: string;
  /** Of its network; null while that starts. */
  readonly name: string | null;
  readonly phase: 'starting' | 'ready' | 'stopping';
}

/** The network that a worker has, or why it has none. */
export type Given =
  | { readonly kind: 'network'; readonly network: PoolNetwork }
  /** As many networks as allowed are up. */
  | { readonly kind: 'full' }
  /** The start was ended by `stop`, `restart` or the end of the pool. */
  | { readonly kind: 'stopped' };

/** Networks by worker. Each call for a worker can be made at any moment, any number of times at once. */
export interface Networks {
  /** Returns the network of a worker, which is started with the first call. @throws what the start throws */
  start(worker: string): Promise<Given>;
  /** Takes down the network of a worker, also one that starts. Returns whether there was one. @throws Failure `pool` */
  stop(worker: string): Promise<boolean>;
  /** Replaces the network of a worker by a new one. @throws Failure `pool`, what the start throws */
  restart(worker: string): Promise<Given>;
  /** Returns the network of a worker where it is ready. */
  find(worker: string): PoolNetwork | undefined;
  list(): readonly WorkerState[];
  /** Takes down all networks; none can be started any more. @throws Failure `pool` where not everything ended */
  close(): Promise<void>;
}

interface Place {
  readonly stop: AbortController;
  readonly started: Promise<PoolNetwork>;
  network: PoolNetwork | undefined;
  ending: Promise<void> | undefined;
}

/**
 * Makes a pool without a network.
 * @param limit networks at a time, those that start or end among them
 */
export function createNetworks(
  limit: number,
  start: (worker: string, signal: AbortSignal) => Promise<PoolNetwork>,
): Networks {
  const places = new Map<string, Place>();
  let isClosed = false;

  function open(worker: string): Place {
    const stop = new AbortController();
    const place: Place = { stop, started: start(worker, stop.signal), network: undefined, ending: undefined };
    places.set(worker, place);
    const leave = () => {
      if (places.get(worker) === place && place.ending === undefined) places.delete(worker);
    };
    place.started.then((network) => {
      place.network = network;
      // One that ends by itself leaves its place to the next.
      void network.ended.then(leave);
    }, leave);
    return place;
  }

  async function give(worker: string): Promise<Given> {
    for (;;) {
      if (isClosed) return { kind: 'stopped' };
      const before = places.get(worker);
      if (before?.ending !== undefined) {
        await before.ending.catch(() => undefined);
        continue;
      }
      if (before === undefined && places.size >= limit) return { kind: 'full' };
      const place = before ?? open(worker);
      try {
        return { kind: 'network', network: await place.started };
      } catch (error) {
        if (place.stop.signal.aborted) return { kind: 'stopped' };
        throw error;
      }
    }
  }

  async function end(worker: string, place: Place): Promise<void> {
    place.stop.abort(new Failure('interrupted', `the start for ${worker} was stopped`, { exit: EXIT.interrupted }));
    try {
      const network = await place.started.catch(() => undefined);
      await network?.down();
    } finally {
      places.delete(worker);
    }
  }

  async function stop(worker: string): Promise<boolean> {
    const place = places.get(worker);
    if (place === undefined) return false;
    place.ending ??= end(worker, place);
    await place.ending;
    return true;
  }

  return {
    start: give,
    stop,
    async restart(worker) {
      await stop(worker);
      return give(worker);
    },
    find: (worker) => places.get(worker)?.network,
    list: () =>
      [...places].map(([worker, { network, ending }]) => ({
        worker,
        name: network?.name ?? null,
        phase: ending !== undefined ? 'stopping' : network === undefined ? 'starting' : 'ready',
      })),
    async close() {
      isClosed = true;
      const ends = await Promise.allSettled([...places.keys()].map(stop));
      const errors = ends.flatMap((end) => (end.status === 'rejected' ? [messageOf(end.reason)] : []));
      if (errors.length > 0) throw new Failure('pool', errors.join('; '));
    },
  };
}
