import { nextPoints } from '../../orchestrator/dashboard/clock-points.ts';
import type { ClockPoint, Message, Picture, Sample } from '../../orchestrator/dashboard/picture-type.ts';

/** Heads and events that the page keeps: an hour of one sample a second, and the newest events. */
const SAMPLES = 3600;
const EVENTS = 200;

/** What the stream has brought so far. */
export interface Store {
  readonly picture: Picture | undefined;
  /** Names of the columns of the samples after the time. */
  readonly nodes: readonly string[];
  readonly samples: readonly Sample[];
  /** Moves of the network's clock. */
  readonly clock: readonly ClockPoint[];
  /** The newest events first. */
  readonly events: readonly { readonly at: number; readonly line: string; readonly kind: string }[];
  /** Why the network is not read now. */
  readonly end: string | undefined;
  /** Whether that is because it was taken down. */
  readonly isDown: boolean;
}

/** The page before the first message. */
export const NOTHING: Store = {
  picture: undefined,
  nodes: [],
  samples: [],
  clock: [],
  events: [],
  end: undefined,
  isDown: false,
};

/** Returns what the page keeps after one more message: at most 3,600 samples and 200 events, the newest. */
export function nextStore(before: Store, message: Message): Store {
  switch (message.kind) {
    case 'history':
      return { ...before, nodes: message.nodes, samples: message.samples.slice(-SAMPLES), clock: message.clock };
    case 'gone':
      return { ...before, end: message.because, isDown: message.isDown };
    case 'event': {
      const { at, line, what } = message;
      return { ...before, events: [{ at, line, kind: what }, ...before.events].slice(0, EVENTS) };
    }
    case 'picture': {
      const { picture } = message;
      if (isAnother(before.picture, picture)) return nextStore(NOTHING, message);
      const all = picture.chains.flatMap((chain) =>
        chain.nodes.map(({ name, unsafe }) => ({ name: `${chain.name}/${name}`, unsafe })),
      );
      const nodes = all.map(({ name }) => name);
      const previous = nodes.join() === before.nodes.join() ? before.samples : [];
      const sample: Sample = [picture.at / 1000, ...all.map(({ unsafe }) => unsafe)];
      const isNew = (previous.at(-1)?.[0] ?? 0) < sample[0];
      const samples = isNew ? [...previous.slice(1 - SAMPLES), sample] : previous;
      const clock = nextPoints(before.clock, picture);
      return { ...before, picture, nodes, samples, clock, end: undefined, isDown: false };
    }
  }
}

/** Returns whether a picture is of another devnet of that name: nothing that came before is of it. */
export function isAnother(before: Picture | undefined, { name, id }: Picture): boolean {
  return before !== undefined && (before.name !== name || before.id !== id);
}
