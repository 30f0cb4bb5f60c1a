import { describe, expect, it } from 'vitest';
import { faultsOf, nodes } from './problems.ts';

describe('names', () => {
  it.each(['l1', 'l1-beacon'])('a chain called %s is refused, as a process of L1 has the name', (name) => {
    expect(faultsOf(`chains: { ${name}: {} }`)).toEqual([`name chains.${name}`]);
  });

  it.each(['batcher', 'proposer'])('a node called %s is refused, as a process of the chain has the name', (name) => {
    expect(faultsOf(nodes(`${name}: {}`))).toEqual([`name chains.main.nodes.${name}`]);
  });

  it('a node that stands twice is reported as a duplicate', () => {
    expect(faultsOf(nodes('v: { count: 1 }, v-1: {}'))).toEqual(['duplicate chains.main.nodes.v-1']);
  });

  it('a count whose numbers make names too long is reported once', () => {
    const name = 'v'.repeat(38);
    expect(faultsOf(nodes(`${name}: { count: 3 }`))).toEqual([`name chains.main.nodes.${name}`]);
    expect(faultsOf(nodes(`${'v'.repeat(37)}: { count: 3 }`))).toEqual([]);
  });
});

describe('chain ids', () => {
  it('an id is a duplicate at the key that says it: of the chain, or of L1', () => {
    expect(faultsOf('chains: { main: { chainId: 900 } }')).toEqual(['duplicate chains.main.chainId']);
    expect(faultsOf('l1: { chainId: 7 }\nchains: { main: { chainId: 7 } }')).toEqual(['duplicate chains.main.chainId']);
  });
});

describe('ports', () => {
  it.each([
    ['chains: { main: { batcher: { ports: { metrics: 9000 } } } }', 'chains.main.batcher.ports.metrics'],
    ['chains: { main: { proposer: { ports: { metrics: 9000 } } } }', 'chains.main.proposer.ports.metrics'],
    [nodes('v: { el: { ports: { http: 9000 } } }'), 'chains.main.nodes.v.el.ports.http'],
    [nodes('v: { cl: { ports: { rpc: 9000 } } }'), 'chains.main.nodes.v.cl.ports.rpc'],
  ])('%s with a port of L1 is refused', (text, path) => {
    expect(faultsOf(`l1: { port: 9000 }\n${text}`)).toContain(`duplicate ${path}`);
    expect(faultsOf(`l1: { port: 9001 }\n${text}`)).not.toContain(`duplicate ${path}`);
  });
});
