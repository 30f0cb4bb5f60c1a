import type { Message, Picture, Sample } from '../../orchestrator/dashboard/picture-type.ts';

/** Heads and events that the page keeps: an hour of one sample a second, and the newest events. */
const SAMPLES = 3600;
const EVENTS = 200;

/** What the stream has brought so far. */
export interface Store {
  readonly picture: Picture | undefined;
  /** Names of the columns of the samples after the time. */
  readonly nodes: readonly string[];
  readonly samples: readonly Sample[];
  /** The newest events first. */
  readonly events: readonly { readonly at: number; readonly line: string; readonly kind: string }[];
  /** Why the network is not read now. */
  readonly end: string | undefined;
}

/** The page before the first message. */
export const NOTHING: Store = { picture: undefined, nodes: [], samples: [], events: [], end: undefined };

/** Returns what the page keeps after one more message: at most 3,600 samples and 200 events, the newest. */
export function nextStore(before: Store, message: Message): Store {
  switch (message.kind) {
    case 'history':
      return { ...before, nodes: message.nodes, samples: message.samples.slice(-SAMPLES) };
    case 'gone':
      return { ...before, end: message.because };
    case 'event': {
      const { at, line, what } = message;
      return { ...before, events: [{ at, line, kind: what }, ...before.events].slice(0, EVENTS) };
    }
    case 'picture': {
      const { picture } = message;
      const all = picture.chains.flatMap((chain) =>
        chain.nodes.map(({ name, unsafe }) => ({ name: `${chain.name}/${name}`, unsafe })),
      );
      const nodes = all.map(({ name }) => name);
      const previous = nodes.join() === before.nodes.join() ? before.samples : [];
      const sample: Sample = [picture.at / 1000, ...all.map(({ unsafe }) => unsafe)];
      const isNew = (previous.at(-1)?.[0] ?? 0) < sample[0];
      const samples = isNew ? [...previous.slice(1 - SAMPLES), sample] : previous;
      return { ...before, picture, nodes, samples, end: undefined };
    }
  }
}
