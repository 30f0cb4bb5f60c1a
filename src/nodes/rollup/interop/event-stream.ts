import type { L1BlockRef } from '../../../protocol/types.ts';

/**
 * An event of a managed node for its supervisor (kona: `ManagedEvent`). Exactly one field is set.
 * Before interop no other events exist.
 */
export interface ManagedEvent {
  /** An engine reset, with its reason. */
  readonly reset?: string;
  /** The L1 data up to `source` is exhausted; `derived` is the safe head. */
  readonly exhaustL1?: { readonly source: L1BlockRef; readonly derived: L1BlockRef };
}

type Send = (entry: { readonly data: ManagedEvent | null; readonly close?: true }) => void;

/** A stream of events for one reader, which subscribes or pulls. A pull ends the subscription. */
export interface EventStream {
  push(event: ManagedEvent): void;
  /** Returns the oldest undelivered event; undefined if there is none. */
  pull(): ManagedEvent | undefined;
  /** Sends all later events. Queued events and an earlier subscription are dropped. */
  subscribe(id: string, send: Send): void;
  /** Ends a subscription. Returns false if there was none. */
  unsubscribe(id: string): boolean;
}

/** Creates a stream that queues the newest `size` events for a reader that pulls. */
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
