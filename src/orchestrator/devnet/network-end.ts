import { Failure } from '../../system/failure.ts';
import { controlOf, type Devnet, devnetAt, phaseOf } from './select.ts';

/** Runs work that ends with the network at the latest. @throws Failure `ended` as soon as the network ends */
export type WhileUp = <T>(work: (networkEnd: AbortSignal) => Promise<T>) => Promise<T>;

interface Watch {
  readonly devnet: Devnet;
  readonly end: Promise<never>;
  readonly signal: AbortSignal;
  close(): void;
}

/** Phases of a network that comes to its end. */
const LAST: ReadonlySet<string> = new Set(['stopping', 'stopped', 'failed']);

/**
 * Makes what bounds the waits for a network by its end. Waits at the same time share one connection to its supervisor.
 * A process that waits for a block would otherwise wait its full time for one that never comes.
 */
export function whileUp(devnet: () => Devnet): WhileUp {
  let users = 0;
  let watch: Promise<Watch> | undefined;
  return async (work) => {
    users += 1;
    try {
      watch ??= watchEnd(devnet());
      const { signal, end, devnet: watched } = await watch;
      const done = work(signal).catch((error: unknown) => {
        // While the network ends, what the work needs of it is gone.
        if (isEnding(devnetAt(watched.paths))) return end;
        throw error;
      });
      return await Promise.race([done, end]);
    } finally {
      users -= 1;
      if (users === 0) {
        const last = watch;
        watch = undefined;
        last?.then(
          ({ close }) => close(),
          () => undefined,
        );
      }
    }
  };
}

/** Returns whether a network comes to its end, or is gone. */
export function isEnding(devnet: Devnet): boolean {
  return LAST.has(phaseOf(devnet));
}

async function watchEnd(devnet: Devnet): Promise<Watch> {
  const { name } = devnet.paths;
  const control = await controlOf(devnet);
  const end = new AbortController();
  const outcome = Promise.withResolvers<never>();
  outcome.promise.catch(() => undefined);
  const over = () => {
    const reason = new Failure('ended', `${name} ended while this waited for it`, {
      hint: `run \`devnet status ${name}\` to see why`,
    });
    end.abort(reason);
    outcome.reject(reason);
  };
  void control
    .events((event) => {
      if (event.event === 'phase' && LAST.has(event.phase)) over();
    })
    .then(over);
  return { devnet, end: outcome.promise, signal: end.signal, close: control.close };
}
