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
export type Assignment =
  | { readonly kind: 'network'; readonly network: PoolNetwork }
  /** As many networks as allowed are up. */
  | { readonly kind: 'full' }
  /** The start was ended by `stop`, `restart` or the end of the pool. */
  | { readonly kind: 'stopped' };

interface Place {
  readonly stop: AbortController;
  readonly started: Promise<PoolNetwork>;
  network: PoolNetwork | undefined;
  ending: Promise<void> | undefined;
}

/** Starts the network of a worker. */
type Start = (worker: string, signal: AbortSignal) => Promise<PoolNetwork>;

/** Networks by worker. Each call for a worker can be made at any moment, any number of times at once. */
export class Networks {
  readonly #limit: number;
  readonly #start: Start;
  readonly #places = new Map<string, Place>();
  #isClosed = false;

  /** `limit`: networks at a time, those that start or end among them. */
  constructor(limit: number, start: Start) {
    this.#limit = limit;
    this.#start = start;
  }

  /** Returns the network of a worker, which is started with the first call. @throws what the start throws */
  async start(worker: string): Promise<Assignment> {
    for (;;) {
      if (this.#isClosed) return { kind: 'stopped' };
      const before = this.#places.get(worker);
      if (before?.ending !== undefined) {
        await before.ending.catch(() => undefined);
        continue;
      }
      if (before === undefined && this.#places.size >= this.#limit) return { kind: 'full' };
      const place = before ?? this.#open(worker);
      try {
        return { kind: 'network', network: await place.started };
      } catch (error) {
        if (place.stop.signal.aborted) return { kind: 'stopped' };
        throw error;
      }
    }
  }

  /** Takes down the network of a worker, also one that starts. Returns whether there was one. @throws Failure `pool` */
  async stop(worker: string): Promise<boolean> {
    const place = this.#places.get(worker);
    if (place === undefined) return false;
    place.ending ??= this.#end(worker, place);
    await place.ending;
    return true;
  }

  /** Replaces the network of a worker by a new one. @throws Failure `pool`, what the start throws */
  async restart(worker: string): Promise<Assignment> {
    await this.stop(worker);
    return this.start(worker);
  }

  /** Returns the network of a worker if it is ready. */
  find(worker: string): PoolNetwork | undefined {
    return this.#places.get(worker)?.network;
  }

  list(): readonly WorkerState[] {
    return [...this.#places].map(([worker, { network, ending }]) => ({
      worker,
      name: network?.name ?? null,
      phase: ending !== undefined ? 'stopping' : network === undefined ? 'starting' : 'ready',
    }));
  }

  /** Takes down all networks; none can be started any more. @throws Failure `pool` if not everything ended */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ends = await Promise.allSettled([...this.#places.keys()].map((worker) => this.stop(worker)));
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [messageOf(end.reason)] : []));
    if (errors.length > 0) throw new Failure('pool', errors.join('; '));
  }

  #open(worker: string): Place {
    const stop = new AbortController();
    const place: Place = { stop, started: this.#start(worker, stop.signal), network: undefined, ending: undefined };
    this.#places.set(worker, place);
    const leave = () => {
      if (this.#places.get(worker) === place && place.ending === undefined) this.#places.delete(worker);
    };
    place.started.then((network) => {
      place.network = network;
      // One that ends by itself leaves its place to the next.
      void network.end.then(leave);
    }, leave);
    return place;
  }

  async #end(worker: string, place: Place): Promise<void> {
    place.stop.abort(new Failure('interrupted', `the start for ${worker} was stopped`, { exit: EXIT.interrupted }));
    try {
      const network = await place.started.catch(() => undefined);
      await network?.down();
    } finally {
      this.#places.delete(worker);
    }
  }
}
