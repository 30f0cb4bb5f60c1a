import { describe, expect, it } from 'vitest';
import { nodes, problemsOf } from './problems.ts';

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

  it('the sequencer follows none, and a near name is told', () => {
    const text = 'chains: { main: { nodes: { s: { role: sequencer, cl: { follow: b } }, b: {} } } }';
    expect(problemsOf(text)).toMatchObject([{ code: 'follow', path: `${PATH}.s.cl.follow`, line: 1, column: 64 }]);
    expect(problemsOf(nodes('bee: {}, c: { cl: { follow: be } }'))).toMatchObject([{ nearest: 'bee' }]);
  });
});
