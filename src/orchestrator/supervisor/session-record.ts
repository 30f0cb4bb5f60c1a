import type { ClockService } from '../channel/channel-server.ts';
import type { ControlSocket } from '../control/server.ts';
import { createNetworkEvents, matters, type NetworkEvents } from '../record/network-events.ts';
import { StateRecord } from '../record/state-record.ts';
import type { Event } from '../state/events.ts';
import type { Paths } from '../state/paths.ts';
import type { OwnIo } from './first-order.ts';

/** The record of a session, and where its events go. */
export interface SessionRecord {
  readonly record: StateRecord;
  readonly events: NetworkEvents;
  /** Sends events to the connections of the control socket from now on, too. */
  serve(control: ControlSocket): void;
  /** Sends an event to the command line and to the control socket. */
  tell(event: Event): void;
}

/** Begins the record of a devnet. */
export function sessionRecord(paths: Paths, { tell: tellCommand, self }: OwnIo, clock: ClockService): SessionRecord {
  let control: ControlSocket | undefined;
  const events = createNetworkEvents((network) => {
    if (matters(network)) tellCommand({ event: 'network', network });
    control?.tell({ event: 'network', network });
  });
  const tell = (event: Event) => {
    tellCommand(event);
    control?.tell(event);
  };
  const record = new StateRecord(paths, self, clock, (event) => {
    tell(event);
    events.follow(event);
  });
  record.write();
  return {
    record,
    events,
    serve(server) {
      control = server;
    },
    tell,
  };
}
