import { describe, expect, it } from 'vitest';
import { template } from '../../package.ts';
import { faultsOf, nodes, problemsOf, waysOutOf } from './problems.ts';

const PATH = 'chains.main.nodes';

describe('a node that follows another one', () => {
  it.each([
    ['b: {}, c: { cl: { follow: b } }'],
    ['c: { cl: { follow: s } }'],
    ['b: { cl: { follow: s } }, c: { cl: { follow: b } }'],
    // The sequencer dials it.
    ['b: { peers: [s] }, c: { cl: { client: op-node, binary: x, follow: b } }'],
  ])('%s is accepted', (text) => {
    expect(problemsOf(nodes(text)).filter(({ code }) => code === 'follow')).toEqual([]);
  });

  it.each([
    ['b: { cl: { follow: b } }', `${PATH}.b.cl.follow: "b" cannot follow itself`],
    ['bee: {}, c: { cl: { follow: be } }', `${PATH}.c.cl.follow: the chain "main" has no node "be"`],
    [
      'b: { cl: { follow: c } }, c: { cl: { follow: b } }',
      `${PATH}.b.cl.follow: b follows c follows b: none of them derives the chain`,
    ],
    ['b: { peers: [], cl: { follow: s } }', `${PATH}.b.peers: "b" has no peers that send it blocks`],
  ])('%s is refused at its place', (text, problem) => {
    const [first] = problemsOf(nodes(text)).filter(({ code }) => code === 'follow');
    expect(`${first?.path}: ${first?.message}`).toBe(problem);
  });

  it.each([
    'b: 5, c: { cl: { follow: b } }',
    'b: { count: x }, c: { cl: { follow: b-1 } }',
    'b: { count: x }, c: { cl: { follow: b-12 } }',
  ])('%s does not lack the node whose own text is wrong', (text) => {
    expect(faultsOf(nodes(text))).toEqual([expect.stringMatching(/^type chains\.main\.nodes\.b(\.count)?$/)]);
  });

  it('that is missing is reported beside the faults of other nodes', () => {
    expect(faultsOf(nodes('b-x: 5, c: { cl: { follow: b-1-x } }'))).toEqual([
      `type ${PATH}.b-x`,
      `follow ${PATH}.c.cl.follow`,
    ]);
  });

  it.each([
    ['b: { cl: { follow: b } }, c: {}', `follow ${PATH}.b.cl.follow: s, c`],
    ['b: {}, c: { cl: { follow: zzz } }', `follow ${PATH}.c.cl.follow: s, b`],
    [
      'b: { peers: [], cl: { follow: s } }',
      `follow ${PATH}.b.peers: peers, as a node that follows another one derives no block`,
    ],
  ])('%s has a way out', (text, way) => {
    expect(waysOutOf(nodes(text))).toContain(way);
  });

  it.each([
    ['a node dials it, of several', 'b: { peers: [], cl: { follow: s } }, c: { peers: [b] }, d: { peers: [s] }', 0],
    ['none dials it', 'b: { peers: [], cl: { follow: s } }, c: { peers: [s] }', 1],
    ['it dials one, and none dials it', 'b: { peers: [s], cl: { follow: s } }, c: { peers: [s] }', 0],
  ])('has blocks when %s', (_, text, count) => {
    const lone = `chains: { main: { nodes: { s: { role: sequencer, peers: [] }, ${text} } } }`;
    expect(problemsOf(lone).filter(({ code }) => code === 'follow')).toHaveLength(count);
  });

  it('is refused with a rollup node that has no option for it', () => {
    const client = (name: string) => {
      const own = template(name);
      return name === 'op-node' ? { ...own, follows: false } : own;
    };
    const text = nodes('c: { cl: { client: op-node, binary: /bin/true, follow: s } }');
    const found = problemsOf(text, { client }).filter(({ code }) => code === 'follow');
    expect(found).toMatchObject([{ message: 'op-node has no option to follow another node' }]);
  });

  it('the sequencer follows none, and a near name is told', () => {
    const text = 'chains: { main: { nodes: { s: { role: sequencer, cl: { follow: b } }, b: {} } } }';
    expect(problemsOf(text)).toMatchObject([{ code: 'follow', path: `${PATH}.s.cl.follow`, line: 1, column: 64 }]);
    expect(problemsOf(nodes('bee: {}, c: { cl: { follow: be } }'))).toMatchObject([{ nearest: 'bee' }]);
  });
});
