import type { L1BlockRef } from '../../../protocol/types.ts';

/** What a managed node tells its supervisor, one of the fields at a time. Before interop is active there is nothing else to tell. */
export interface ManagedEvent {
  /** The heads are found anew, with the reason. */
  readonly reset?: string;
  /** All L1 data up to `source` was read, and left `derived` as the safe head. */
  readonly exhaustL1?: { readonly source: L1BlockRef; readonly derived: L1BlockRef };
}

type Send = (entry: { readonly data: ManagedEvent | null; readonly close?: true }) => void;

/** Events for one reader, who is sent them or pulls them: a subscription ends with the first pull. */
export interface EventStream {
  push(event: ManagedEvent): void;
  /** The oldest event that nobody has got; undefined where there is none. */
  pull(): ManagedEvent | undefined;
  /** Sends what comes from now on; what waited is dropped, as is a subscription before this one. */
  subscribe(id: string, send: Send): void;
  /** Whether there was such a subscription. */
  unsubscribe(id: string): boolean;
}

/** Keeps the newest `size` events for a reader who pulls. */
export function eventStream(size: number): EventStream {
  let waiting: ManagedEvent[] = [];
  let reader: { readonly id: string; readonly send: Send } | undefined;
  return {
    push(event) {
      if (reader) return reader.send({ data: event });
      waiting.push(event);
      if (waiting.length > size) waiting.shift();
    },
    pull() {
      reader?.send({ data: null, close: true });
      reader = undefined;
      return waiting.shift();
    },
    subscribe(id, send) {
      reader = { id, send };
      waiting = [];
    },
    unsubscribe(id) {
      if (reader?.id !== id) return false;
      reader = undefined;
      return true;
    },
  };
}
