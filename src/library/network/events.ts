import { controlOf, type Devnet } from '../../orchestrator/devnet/select.ts';
import type { NetworkEvent } from '../../orchestrator/state/network-event-type.ts';
import { networkEvent } from '../../orchestrator/status/network-event.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import { translateErrors } from './errors.ts';

/** Yields the events of a devnet until it ends, the loop is left or the signal is aborted. */
export async function* eventsOf(
  io: Io,
  devnet: Devnet,
  signal: AbortSignal | undefined,
): AsyncGenerator<NetworkEvent, void, undefined> {
  const control = await translateErrors(io, () => controlOf(devnet));
  const waiting: NetworkEvent[] = [];
  let arrived = Promise.withResolvers<void>();
  let isOver = false;
  const wake = () => {
    arrived.resolve();
    arrived = Promise.withResolvers();
  };
  const end = () => {
    isOver = true;
    control.close();
    wake();
  };
  signal?.addEventListener('abort', end, { once: true });
  void control
    .events((event) => {
      if (event.event !== 'network') return;
      waiting.push(networkEvent.parse(event.network));
      wake();
    }, 'watch')
    .then(end);
  try {
    while (!signal?.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (isOver) return;
      else await arrived.promise;
    }
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}
