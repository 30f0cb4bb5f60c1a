import { expect, it } from 'vitest';
import { linksOfTarget } from '../../../src/orchestrator/faults/target.ts';
import { three, twoChains } from './network.ts';

const linksOf = (text: string, plan = three) =>
  linksOfTarget(plan, text).map(({ link, isForward }) => `${isForward ? '>' : '<'} ${link.id.slice(5)}`);

it.each([
  ['a-b:p2p', ['< *>main/a/cl:p2p', '< *>main/a/cl:p2p/udp', '> main/a/cl>main/b/cl:p2p', '> *>main/b/cl:p2p']],
  ['b:engine', ['> main/b/cl>main/b/el:engine']],
  ['batcher-l1', ['> main/batcher>l1:rpc']],
  ['l1-main/batcher', ['< main/batcher>l1:rpc']],
  ['batcher-a:rpc', ['> main/batcher>main/a/el:http', '> main/batcher>main/a/cl:rpc']],
  ['b-beacon', ['> main/b/cl>l1-beacon:http']],
  ['b-l1', ['> main/b/cl>l1:rpc', '> main/b/cl>l1-beacon:http']],
  ['late-one:l1', ['> main/late-one/cl>l1:rpc']],
  ['b-late-one:rpc', ['> main/b/el>main/late-one/el:http', '< main/late-one/el>main/b/el:http']],
])('%s names the links of its ends, with their direction', (text, links) => {
  expect(linksOf(text)).toEqual(expect.arrayContaining(links));
  if (!text.endsWith('p2p')) expect(linksOf(text)).toHaveLength(links.length);
});

it('a node names all links between it and others, and the link within it by its word alone', () => {
  const links = linksOf('b');
  expect(links).not.toContain('> main/b/cl>main/b/el:engine');
  expect(links).toEqual(
    expect.arrayContaining(['> main/b/cl>l1:rpc', '< main/a/cl>main/b/cl:p2p', '< *>main/b/cl:p2p']),
  );
  expect(links.some((link) => link.includes('late-one') && !link.includes('/b/'))).toBe(false);
});

it('l1 names both its servers, and beacon one of them', () => {
  expect(new Set(linksOf('l1').map((link) => link.replace(/^.*>/, '')))).toEqual(new Set(['l1:rpc', 'l1-beacon:http']));
  expect(new Set(linksOf('beacon').map((link) => link.replace(/^.*>/, '')))).toEqual(new Set(['l1-beacon:http']));
});

it('a node of several chains is named with its chain', () => {
  expect(linksOf('x/s-x/v:rpc', twoChains)).toContain('> x/s/el>x/v/el:http');
  expect(() => linksOf('v', twoChains)).toThrow('several chains have v: expected CHAIN/v');
});

it.each([
  ['c', 'there is no node "c"', /expected one of a, b, late-one, batcher, proposer, l1, beacon/],
  ['lateone', 'there is no node "lateone"', /did you mean late-one\?/],
  ['a-bb', 'there is no node "bb"', /did you mean b\?/],
  ['x-y', 'there is no node "x-y"', /expected one of/],
  ['a:p2', 'there is no link "p2"', /did you mean p2p\?/],
  ['a-a', 'a-a names one node twice', undefined],
  ['batcher-b', 'batcher-b names no link: no link is between main/batcher and main/b', /devnet plan/],
  [
    'a-b:engine',
    'a-b:engine names no link: no engine link is between main/a and main/b',
    /its links are rpc, p2p|p2p, rpc/,
  ],
  ['l1:engine', 'l1:engine names no link: l1 has no engine link to others', /its links are l1, beacon/],
  ['a:p2p:b', '"a:p2p:b" is not a target: expected NODE, A-B, NODE:LINK or A-B:LINK', undefined],
  [':p2p', '":p2p" is not a target: expected NODE, A-B, NODE:LINK or A-B:LINK', undefined],
])('%s is refused as a target', (text, message, hint) => {
  const error = expect.objectContaining({
    ...{ code: 'fault', exit: 2, message },
    ...(hint === undefined ? {} : { hint: expect.stringMatching(hint) }),
  });
  expect(() => linksOf(text)).toThrow(error);
});
