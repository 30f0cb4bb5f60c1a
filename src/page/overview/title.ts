import type { Store } from '../store/store-state.ts';

/** Colours of the favicon by the state of the network. */
const COLOURS = { good: '#16794a', bad: '#b3261e', unknown: '#808890' } as const;

/** What a tab of the browser shows: the devnet's name and state, and a circle of that state's colour. */
export interface TabTitle {
  readonly text: string;
  readonly icon: string;
}

/** Returns the state of a network in a word, and whether it is a good one. */
export function stateOf({ picture, end, isDown }: Store): {
  readonly word: string;
  readonly kind: keyof typeof COLOURS;
} {
  if (isDown) return { word: 'taken down', kind: 'unknown' };
  if (picture === undefined || end !== undefined) return { word: 'unknown', kind: 'unknown' };
  if (!picture.isUp) return { word: 'stopped', kind: 'bad' };
  const isGood = picture.phase === 'ready' && picture.divergences.length === 0;
  return { word: picture.phase, kind: isGood ? 'good' : 'bad' };
}

/** Returns the title of a tab that shows a page of the dashboard. */
export function tabTitle(store: Store, page: string): TabTitle {
  const { word, kind } = stateOf(store);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">` +
    `<circle cx="8" cy="8" r="7" fill="${COLOURS[kind]}"/></svg>`;
  return {
    text: `${store.picture?.name ?? 'devnet'}: ${word} – ${page}`,
    icon: `data:image/svg+xml,${encodeURIComponent(svg)}`,
  };
}
