import { describe, expect, it } from 'vitest';
import { faultsOf, nodes, problemsOf, waysOutOf } from './problems.ts';

describe('nodes', () => {
  it.each([
    ['chains: { main: { nodes: { a: {} } } }', 'sequencer chains.main.nodes'],
    [nodes('b: { role: sequencer }'), 'sequencer chains.main.nodes.b.role'],
    [nodes('b: { peers: [b] }'), 'peers chains.main.nodes.b.peers.0'],
    [nodes('b: { peers: [c] }'), 'peers chains.main.nodes.b.peers.0'],
    [nodes('b: { peers: [s, s] }'), 'peers chains.main.nodes.b.peers.1'],
    ['l1: { blockTime: 2 }\nchains: { main: { blockTime: 3 } }', 'value chains.main.blockTime'],
    [
      'chains: { main: { nodes: { s: { role: sequencer, cl: { external: { rpc: "http://x" } } } } } }',
      'launch chains.main.nodes.s.cl.external',
    ],
  ])('%s is reported with its code', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it.each([
    ['chains: { main: { nodes: { a: {} } } }', 'sequencer chains.main.nodes: exactly one node with role: sequencer'],
    [nodes('b: { role: sequencer }'), 'sequencer chains.main.nodes.b.role: exactly one node with role: sequencer'],
    ['l1: { blockTime: 1 }', 'value l1.blockTime: chains.main.blockTime of at most l1.blockTime'],
    [
      nodes('b: { cl: { launch: manual, external: { rpc: "http://x" } } }'),
      'launch chains.main.nodes.b.cl.launch: undefined',
    ],
    [
      nodes('b: { el: { launch: manual, external: { http: "http://x", engine: "http://x", jwt: j } } }'),
      'launch chains.main.nodes.b.el.launch: undefined',
    ],
  ])('%s is reported with the way out', (text, fault) => {
    expect(waysOutOf(text)).toEqual([fault]);
  });

  it('a chain without a sequencer is reported at the key of its nodes, and with a conductor by that alone', () => {
    expect(problemsOf('chains: { main: { nodes: { a: {} } } }')).toMatchObject([{ line: 1, column: 19, width: 5 }]);
    expect(faultsOf('chains: { main: { conductor: true, nodes: { a: {} } } }')).toEqual([
      'sequencer chains.main.conductor',
    ]);
  });

  it('several sequencers are reported in the chain that has them alone', () => {
    const chains = 'a: { nodes: { s: { role: sequencer } } }, b: { nodes: { s: { role: sequencer, count: 2 } } }';
    expect(problemsOf(`chains: { ${chains} }`)).toMatchObject([
      { path: 'chains.b.nodes.s.role', message: '"s-2" is a second sequencer of the chain "b", beside "s-1"' },
    ]);
  });

  it('every sequencer after the first is reported', () => {
    expect(faultsOf(nodes('b: { role: sequencer }, c: { role: sequencer }'))).toEqual([
      'sequencer chains.main.nodes.b.role',
      'sequencer chains.main.nodes.c.role',
    ]);
  });

  it('the nodes that a peer may be are all others', () => {
    const allowed = problemsOf(nodes('b: { peers: [b] }, c: {}')).map((problem) => problem.allowed);
    expect(allowed).toEqual(['s, c']);
  });

  it('a peer that is no node is reported with the others, and the nearest of them', () => {
    expect(problemsOf(nodes('bee: { peers: [s, bet, bex] }, bet: {}'))).toMatchObject([
      { path: 'chains.main.nodes.bee.peers.2', allowed: 's, bet', nearest: 'bet' },
    ]);
  });

  it('a peer that is listed three times is reported at the second and the third place', () => {
    expect(faultsOf(nodes('b: { peers: [s, c, s, s] }, c: {}'))).toEqual([
      'peers chains.main.nodes.b.peers.2',
      'peers chains.main.nodes.b.peers.3',
    ]);
  });

  it.each([
    ['a node that is wrong', 'b', 'b: 5', 'nodes.b'],
    ['a number of a wrong node', 'b-1', 'b: { count: x }', 'nodes.b.count'],
  ])('a peer is not missing when it is %s, and others are', (_, peer, node, place) => {
    const text = `chains: { main: { nodes: { s: { role: sequencer, peers: [${peer}, c-1] }, ${node} } } }`;
    expect(faultsOf(text)).toEqual(['peers chains.main.nodes.s.peers.1', `type chains.main.${place}`]);
  });

  it('a block time is not compared with that of L1 when it is wrong, nor is that of an existing chain', () => {
    expect(faultsOf('l1: { blockTime: x }\nchains: { main: { blockTime: 3 } }')).toEqual(['type l1.blockTime']);
    const from = 'from: { genesis: g.json, rollup: r.json }';
    expect(faultsOf(`l1: { blockTime: 1 }\nchains: { main: { ${from} } }`)).toEqual([]);
  });

  it.each([
    ['l1: { blockTime: 3 }\nchains: { main: { blockTime: 3 } }', []],
    ['l1: { blockTime: 3 }\nchains: { main: { blockTime: 4 }, b: { blockTime: 2 } }', ['main']],
    ['l1: { blockTime: 3 }\nchains: { main: { blockTime: 2 }, b: { blockTime: 5 } }', ['b']],
  ])('%s is looked at chain by chain: blocks of L2 are not slower than those of L1', (text, chains) => {
    expect(faultsOf(text)).toEqual(chains.map((chain) => `value chains.${chain}.blockTime`));
  });

  it.each([
    ['a part that is started by hand', 'b: { cl: { launch: manual }, el: { launch: manual } }'],
    ['an external part', 'b: { el: { external: { http: "http://x", engine: "http://x", jwt: j } } }'],
  ])('%s is no fault', (_, text) => {
    expect(faultsOf(nodes(text))).toEqual([]);
  });

  it('a verifier’s rollup node may be external', () => {
    expect(faultsOf(nodes('b: { cl: { external: { rpc: "http://x" } } }'))).toEqual([]);
  });
});
