import { pause } from '../../system/time/pause.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import { eventLines } from '../status/event-line.ts';
import { failureWords, isEnd } from './failure-words.ts';
import { Measurements } from './measurements.ts';
import type { Message, Picture } from './picture-type.ts';

/** Time (ms) between two pictures. */
const PICTURE_INTERVAL_MS = 1000;
/** Characters of an event that are sent. */
const MAX_EVENT_CHARS = 2000;

export interface FeedIo {
  picture(): Promise<Picture>;
  /** Calls back for each event of the network until aborted or until the network ends. */
  events(receive: (event: NetworkEvent) => void, signal: AbortSignal): Promise<void>;
  /** Takes marks of the processes until aborted or until the network ends. */
  marks(signal: AbortSignal): Promise<void>;
}

/** Sends pictures and events to any number of listeners. Without a listener the network is not asked. */
export interface Feed {
  /** Adds a listener and returns its removal. */
  follow(receive: (message: Message) => void): () => void;
  /** Makes the first picture of a listener that is about to come: a browser loads the page meanwhile. */
  prepare(): void;
}

/** Creates the feed of a network. `every`: time (ms) between two pictures. */
export function createFeed(io: FeedIo, every = PICTURE_INTERVAL_MS): Feed {
  const listeners = new Set<(message: Message) => void>();
  const measurements = new Measurements();
  let last: Picture | undefined;
  let running: AbortController | undefined;
  let ahead: { readonly at: number; readonly picture: Promise<Picture> } | undefined;

  const tell = (message: Message) => {
    for (const listener of listeners) listener(message);
  };

  function picture(): Promise<Picture> {
    const prepared = ahead;
    ahead = undefined;
    return prepared !== undefined && performance.now() - prepared.at < every ? prepared.picture : io.picture();
  }

  async function look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        last = await picture();
        measurements.keep(last);
        if (!signal.aborted) tell({ kind: 'picture', picture: last });
      } catch (error) {
        if (!signal.aborted) tell({ kind: 'gone', because: failureWords(error), isDown: isEnd(error) });
      }
      await pause(every, signal);
    }
  }

  function report(event: NetworkEvent): void {
    if (event.kind === 'head') return;
    const line = eventLines(event).join('\n').slice(0, MAX_EVENT_CHARS);
    tell({ kind: 'event', at: event.at, what: event.kind, line });
  }

  /** Follows the events and marks of each supervisor: a network may be stopped and started meanwhile. */
  async function listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await Promise.all([io.events(report, signal), io.marks(signal)].map((each) => each.catch(() => undefined)));
      await pause(every, signal);
    }
  }

  return {
    prepare() {
      if (running !== undefined || (ahead !== undefined && performance.now() - ahead.at < every)) return;
      ahead = { at: performance.now(), picture: io.picture() };
      // The listener that comes is told.
      ahead.picture.catch(() => undefined);
    },
    follow(receive) {
      listeners.add(receive);
      receive(measurements.message());
      if (last !== undefined) receive({ kind: 'picture', picture: last });
      if (running === undefined) {
        running = new AbortController();
        void look(running.signal);
        void listen(running.signal);
      }
      return () => {
        listeners.delete(receive);
        if (listeners.size > 0) return;
        running?.abort();
        running = undefined;
        last = undefined;
      };
    },
  };
}
