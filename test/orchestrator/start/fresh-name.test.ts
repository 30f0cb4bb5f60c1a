import { expect, it } from 'vitest';
import { freshName } from '../../../src/orchestrator/start/fresh-name.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';

it('a fresh name has the name of the network and the number of the worker', () => {
  expect(freshName('fork-drill', 'gw_0')).toMatch(/^fork-drill-gw-0-[0-9a-f]{6}$/);
  expect(freshName(undefined, 'gw0')).toMatch(/^devnet-gw0-[0-9a-f]{6}$/);
});

it.each([
  [undefined, 'devnet'],
  ['fork-drill', 'fork-drill'],
  ['./specs/My Spec.yaml', 'my-spec'],
  ['/work/Bridge/devnet.yaml', 'bridge'],
  [{ name: 'mine' }, 'mine'],
  [{}, 'devnet'],
  ['ÄÖÜ', 'devnet'],
  ['a-name-of-many-more-characters-than-fit', 'a-name-of-many-more-characters'],
])('%j is named after its spec, with six random characters', (spec, start) => {
  const name = freshName(spec);
  expect(name).toMatch(new RegExp(`^${start}-[0-9a-f]{6}$`));
  expect(freshName(spec)).not.toBe(name);
  expect(pathsOf('/home', name).name).toBe(name);
});
