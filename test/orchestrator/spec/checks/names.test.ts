import { describe, expect, it } from 'vitest';
import { parse } from '../../package.ts';

/** Returns the problems of a spec as `code path`, in the order of the text. */
const faults = (text: string, more: Parameters<typeof parse>[1] = {}) => {
  const outcome = parse(text, more);
  return outcome.ok ? [] : outcome.problems.map(({ code, path }) => `${code} ${path}`);
};
const nodes = (text: string) => `chains: { main: { nodes: { s: { role: sequencer }, ${text} } } }`;

describe('names', () => {
  it.each(['l1', 'l1-beacon'])('a chain called %s is refused, as a process of L1 has the name', (name) => {
    expect(faults(`chains: { ${name}: {} }`)).toEqual([`name chains.${name}`]);
  });

  it.each(['batcher', 'proposer'])('a node called %s is refused, as a process of the chain has the name', (name) => {
    expect(faults(nodes(`${name}: {}`))).toEqual([`name chains.main.nodes.${name}`]);
  });

  it('a node that stands twice is reported as a duplicate', () => {
    expect(faults(nodes('v: { count: 1 }, v-1: {}'))).toEqual(['duplicate chains.main.nodes.v-1']);
  });

  it('a count whose numbers make names too long is reported once', () => {
    const name = 'v'.repeat(38);
    expect(faults(nodes(`${name}: { count: 3 }`))).toEqual([`name chains.main.nodes.${name}`]);
    expect(faults(nodes(`${'v'.repeat(37)}: { count: 3 }`))).toEqual([]);
  });
});

describe('chain ids', () => {
  it('an id is a duplicate at the key that says it: of the chain, or of L1', () => {
    expect(faults('chains: { main: { chainId: 900 } }')).toEqual(['duplicate chains.main.chainId']);
    expect(faults('l1: { chainId: 7 }\nchains: { main: { chainId: 7 } }')).toEqual(['duplicate chains.main.chainId']);
  });
});

describe('ports', () => {
  it.each([
    ['chains: { main: { batcher: { ports: { metrics: 9000 } } } }', 'chains.main.batcher.ports.metrics'],
    ['chains: { main: { proposer: { ports: { metrics: 9000 } } } }', 'chains.main.proposer.ports.metrics'],
    [nodes('v: { el: { ports: { http: 9000 } } }'), 'chains.main.nodes.v.el.ports.http'],
    [nodes('v: { cl: { ports: { rpc: 9000 } } }'), 'chains.main.nodes.v.cl.ports.rpc'],
  ])('%s with a port of L1 is refused', (text, path) => {
    expect(faults(`l1: { port: 9000 }\n${text}`)).toContain(`duplicate ${path}`);
    expect(faults(`l1: { port: 9001 }\n${text}`)).not.toContain(`duplicate ${path}`);
  });
});

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
    expect(faults(text)).toEqual([fault]);
  });

  it('the nodes that a peer may be are all others', () => {
    const outcome = parse(nodes('b: { peers: [b] }, c: {}'));
    expect(outcome.ok ? [] : outcome.problems.map(({ allowed }) => allowed)).toEqual(['s, c']);
  });

  it('a verifier’s rollup node may be external', () => {
    expect(faults(nodes('b: { cl: { external: { rpc: "http://x" } } }'))).toEqual([]);
  });
});

describe('programs', () => {
  const machine = {
    readJson: () => ({}),
    programFault: (program: string) => (program === 'op-geth' ? 'is not on the PATH' : undefined),
  };
  const geth = (text: string) => nodes(`b: { el: { client: op-geth, ${text} } }`);

  it('a binary that cannot be executed is reported where it stands', () => {
    expect(faults(geth('binary: op-geth'), { machine })).toEqual(['binary chains.main.nodes.b.el.binary']);
  });

  it.each([
    ['a binary that can', geth('binary: geth')],
    ['the binary of a process that is started by hand', geth('binary: op-geth, launch: manual')],
    ['the program of a container', geth('image: op-geth')],
  ])('%s is no fault', (_, text) => {
    expect(faults(text, { machine })).toEqual([]);
  });

  it('a spec that is checked without a machine has no fault by its programs', () => {
    expect(faults(geth('binary: op-geth'))).toEqual([]);
  });
});
