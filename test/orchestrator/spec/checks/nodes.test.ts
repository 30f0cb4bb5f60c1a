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

  it('a verifier’s rollup node may be external', () => {
    expect(faultsOf(nodes('b: { cl: { external: { rpc: "http://x" } } }'))).toEqual([]);
  });
});
