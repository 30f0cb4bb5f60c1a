import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectionsOf } from '../../../../src/orchestrator/spec/resolve/topology.ts';
import { loadText } from '../../export/exported.ts';

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/), { minLength: 1, maxLength: 30 });
const kind = fc.oneof(
  fc.constantFrom('mesh', 'ring', 'star'),
  fc.integer({ min: 2, max: 8 }).map((n) => `random:${n}`),
);

it('connections stand at both nodes, reach all, and lead to no node itself', () => {
  fc.assert(
    fc.property(names, kind, fc.nat(), (all, topology, seed) => {
      const links = connectionsOf(topology, { names: all, sequencer: all[0]!, seed });
      expect([...links.keys()]).toEqual(all);
      for (const [name, others] of links) {
        expect(others.has(name)).toBe(false);
        for (const other of others) expect(links.get(other)?.has(name)).toBe(true);
      }
      const reached = new Set([all[0]!]);
      for (const name of reached) for (const other of links.get(name) ?? []) reached.add(other);
      expect(reached.size).toBe(all.length);
    }),
  );
});

it('a random topology gives each node its number of connections, and follows from seed and names alone', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 2, max: 8 }), fc.nat(), (all, degree, seed) => {
      const make = () => connectionsOf(`random:${degree}`, { names: all, sequencer: all[0]!, seed });
      for (const others of make().values())
        expect(others.size).toBeGreaterThanOrEqual(Math.min(degree, all.length - 1));
      expect(make()).toEqual(make());
    }),
  );
  const all = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const edges = (seed: number) =>
    JSON.stringify([...connectionsOf('random:4', { names: all, sequencer: 'n0', seed })].map(([, to]) => [...to]));
  expect(edges(1)).not.toBe(edges(2));
});

it('a random topology is a ring in an order of its own, and adds no connection beyond what a node lacks', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f'];
  const linksOf = (topology: string, seed: number) =>
    Object.fromEntries(
      [...connectionsOf(topology, { names: all, sequencer: 'a', seed })].map(([name, to]) => [
        name,
        [...to].sort().join(''),
      ]),
    );
  const ring = linksOf('random:2', 1);
  expect(Object.values(ring).map((to) => to.length)).toEqual([2, 2, 2, 2, 2, 2]);
  expect(ring).not.toEqual(linksOf('ring', 1));
  // Networks of one seed stay the same in later versions.
  expect(ring).toEqual({ a: 'cd', b: 'ef', c: 'ae', d: 'af', e: 'bc', f: 'bd' });
  expect(linksOf('random:3', 1)).toEqual({ a: 'bcd', b: 'adef', c: 'aef', d: 'abf', e: 'bcf', f: 'bcde' });
});

it.each<[string, Record<string, readonly string[]>]>([
  [
    'mesh',
    { s: ['v-1', 'v-2', 'v-3'], 'v-1': ['s', 'v-2', 'v-3'], 'v-2': ['s', 'v-1', 'v-3'], 'v-3': ['s', 'v-1', 'v-2'] },
  ],
  ['ring', { s: ['v-1', 'v-3'], 'v-1': ['s', 'v-2'], 'v-2': ['v-1', 'v-3'], 'v-3': ['s', 'v-2'] }],
  ['star', { s: ['v-1', 'v-2', 'v-3'], 'v-1': ['s'], 'v-2': ['s'], 'v-3': ['s'] }],
])('peers: %s gives each node of a chain its peers', async (topology, expected) => {
  const { spec } = await loadText(
    `chains: { main: { peers: ${topology}, nodes: { s: { role: sequencer }, v: { count: 3 } } } }`,
  );
  const peers = Object.entries(spec.chains['main']?.nodes ?? {}).map(([name, node]) => [name, node.peers]);
  expect(Object.fromEntries(peers)).toEqual(expected);
});

it.each([
  [8, 'mesh'],
  [9, 'random:4'],
])('a chain of %i nodes that names no topology has %s', async (count, topology) => {
  const nodes = `{ s: { role: sequencer }, v: { count: ${count - 1} } }`;
  const [usual, asked] = await Promise.all(
    ['', `peers: "${topology}", `].map((peers) => loadText(`chains: { main: { ${peers}nodes: ${nodes} } }`)),
  );
  expect(usual!.spec.chains['main']?.peers).toBe(topology);
  expect(usual!.spec.chains).toEqual(asked!.spec.chains);
});

it('a node that names its peers keeps them whatever the topology', async () => {
  const { spec } = await loadText(
    'chains: { main: { peers: ring, nodes: { s: { role: sequencer }, a: { peers: [] }, b: {}, c: { peers: [s] } } } }',
  );
  const { nodes } = spec.chains['main']!;
  expect([nodes['a']?.peers, nodes['c']?.peers]).toEqual([[], ['s']]);
  expect(nodes['s']?.peers).toEqual(['c']);
});

it.each(['tree', 'random:1', 'random:51', 'random'])('peers: %s is refused, with what is allowed', async (topology) => {
  await expect(loadText(`chains: { main: { peers: "${topology}" } }`)).rejects.toThrow(
    'mesh, ring, star, or random:N with N from 2 to 50',
  );
});
