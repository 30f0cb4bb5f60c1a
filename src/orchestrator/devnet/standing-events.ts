import { connectControl } from '../control/client.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import type { Devnet } from './select.ts';

/** Timeout (ms) of the supervisor's answer. */
const ANSWER_TIMEOUT_MS = 4000;

/** Returns the events that describe the present of a running network; none if no supervisor answers. */
export async function standingEvents({ paths }: Devnet): Promise<readonly NetworkEvent[]> {
  const control = await connectControl(paths.control).catch(() => undefined);
  if (control === undefined) return [];
  const events: NetworkEvent[] = [];
  try {
    void control.events((event) => event.event === 'network' && events.push(event.network), 'watch');
    // Requests are answered in their order: with this answer, all standing events have arrived.
    await control.ask({ method: 'state' }, ANSWER_TIMEOUT_MS);
    return events;
  } catch {
    return events;
  } finally {
    control.close();
  }
}
