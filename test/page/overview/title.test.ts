import { expect, it } from 'vitest';
import type { Picture } from '../../../src/orchestrator/dashboard/picture-type.ts';
import { tabTitle } from '../../../src/page/overview/title.ts';
import { NOTHING, type Store } from '../../../src/page/store/store-state.ts';
import { divergenceOf, pictureWith } from '../pictures.ts';

const store = (picture: Partial<Picture>, end?: string): Store => ({ ...NOTHING, picture: pictureWith(picture), end });

it.each<[string, Store, string, string]>([
  ['a network that is ready', store({}), 'one: ready – Forks', '#16794a'],
  ['a degraded network', store({ phase: 'degraded' }), 'one: degraded – Forks', '#b3261e'],
  ['a divergence', store({ divergences: [divergenceOf('main', 'late')] }), 'one: ready – Forks', '#b3261e'],
  ['a stopped network', store({ isUp: false }), 'one: stopped – Forks', '#b3261e'],
  ['a network that cannot be read', store({}, 'it is gone'), 'one: unknown – Forks', '#808890'],
  ['a network that was taken down', { ...store({}, 'it is gone'), isDown: true }, 'one: taken down – Forks', '#808890'],
  ['no picture yet', NOTHING, 'devnet: unknown – Forks', '#808890'],
])('the tab shows name, state and page of %s', (_, state, text, colour) => {
  const title = tabTitle(state, 'Forks');
  expect(title.text).toBe(text);
  expect(decodeURIComponent(title.icon)).toContain(`fill="${colour}"`);
});
