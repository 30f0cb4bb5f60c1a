import { describe, expect, it } from 'vitest';
import { problemsOf, waysOutOf } from './problems.ts';

const spec = (altDa: string, { cl = '{}', batcher = '{}' } = {}) =>
  `chains: { main: { altDa: ${altDa}, batcher: ${batcher}, nodes: { s: { role: sequencer }, v: { cl: ${cl} } } } }`;

describe('a DA server', () => {
  it.each(['{}', 'da-server', '{ ports: { rpc: 9000 } }', '{ challengeWindow: 4 }', 'false'])(
    '%s is accepted',
    (text) => {
      expect(problemsOf(spec(text))).toEqual([]);
    },
  );

  it.each([
    ['a rollup node that does not read it', { cl: '{ client: op-node, binary: /bin/true }' }, 'nodes.v.cl', 'op-node'],
    ['an external rollup node', { cl: '{ external: { rpc: "http://127.0.0.1:1" } }' }, 'nodes.v.cl', 'an external'],
    [
      'a batcher that does not write to it',
      { batcher: '{ client: op-batcher, binary: /bin/true }' },
      'batcher',
      'op-b',
    ],
  ])('is refused with %s', (_, parts, path, words) => {
    const found = problemsOf(spec('{}', parts)).filter(({ message }) => message.includes('does not use the DA server'));
    expect(found).toMatchObject([
      { code: 'client', path: `chains.main.${path}`, message: expect.stringContaining(words) },
    ]);
  });

  it('is refused with blobs, and no node has its name', () => {
    const blobs = problemsOf(spec('{}', { batcher: '{ da: blobs }' }));
    expect(blobs).toMatchObject([{ path: 'chains.main.batcher.da', message: 'commitments are posted in calldata' }]);
    const named = problemsOf('chains: { main: { nodes: { s: { role: sequencer }, da-server: {} } } }');
    expect(named).toMatchObject([{ code: 'name', path: 'chains.main.nodes.da-server' }]);
  });

  it.each([
    ['{ da: calldata }', '{}', []],
    ['false', '{}', []],
    ['{ da: blobs }', '{}', ['value chains.main.batcher.da: calldata with `altDa`']],
    [
      '{}',
      '{ client: op-node, binary: /bin/true }',
      ['client chains.main.nodes.v.cl: rollup-node and batcher, or a template of yours that refers to ${altDa.server}'],
    ],
  ])('with the batcher %s and the rollup node %s has these ways out', (batcher, cl, ways) => {
    const found = waysOutOf(spec('{}', { batcher, cl }));
    expect(found.filter((way) => !way.includes('binary'))).toEqual(ways);
  });

  it('has as way out of an existing chain to have none', () => {
    const text = 'chains: { main: { altDa: {}, from: { genesis: /a.json, rollup: /b.json } } }';
    expect(waysOutOf(text)).toContain('value chains.main.altDa: none with `from`');
  });

  it('is refused for an existing chain, whose rollup.json says where batches are', () => {
    const text = 'chains: { main: { altDa: {}, from: { genesis: /a.json, rollup: /b.json } } }';
    expect(problemsOf(text)).toContainEqual(
      expect.objectContaining({ path: 'chains.main.altDa', message: expect.stringContaining('existing chain') }),
    );
  });
});
