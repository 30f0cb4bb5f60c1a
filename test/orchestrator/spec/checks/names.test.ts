import { describe, expect, it } from 'vitest';
import { faultsOf, nodes, problemsOf } from './problems.ts';

describe('names', () => {
  it.each(['l1', 'l1-beacon'])('a chain called %s is refused, as a process of L1 has the name', (name) => {
    expect(faultsOf(`chains: { ${name}: {}, main: {} }`)).toEqual([`name chains.${name}`]);
  });

  it.each(['batcher', 'proposer', 'challenger', 'signer', 'da-server', 'conductor'])(
    'a node called %s is refused, as a process of the chain has the name',
    (name) => {
      expect(faultsOf(nodes(`${name}: {}`))).toEqual([`name chains.main.nodes.${name}`]);
    },
  );

  it('a node that stands twice is reported as a duplicate', () => {
    expect(faultsOf(nodes('v: { count: 1 }, v-1: {}'))).toEqual(['duplicate chains.main.nodes.v-1']);
  });

  it('a count whose numbers make names too long is reported once', () => {
    const name = 'v'.repeat(38);
    expect(faultsOf(nodes(`${name}: { count: 3 }`))).toEqual([`name chains.main.nodes.${name}`]);
    expect(faultsOf(nodes(`${'v'.repeat(37)}: { count: 3 }`))).toEqual([]);
    const two = `${'v'.repeat(38)}: { count: 1 }, ${'w'.repeat(38)}: { count: 1 }`;
    expect(faultsOf(nodes(two))).toEqual(['v', 'w'].map((letter) => `name chains.main.nodes.${letter.repeat(38)}`));
  });

  it('a name that is too long is reported at its key', () => {
    const [problem] = problemsOf(nodes(`${'v'.repeat(38)}: { count: 2 }`));
    expect(problem).toMatchObject({
      line: 1,
      column: 52,
      width: 38,
      message: expect.stringContaining('40 characters'),
    });
  });
});

describe('chain ids', () => {
  it('an id is a duplicate at the key that says it: of the chain, or of L1', () => {
    expect(faultsOf('chains: { main: { chainId: 900 } }')).toEqual(['duplicate chains.main.chainId']);
    expect(faultsOf('l1: { chainId: 7 }\nchains: { main: { chainId: 7 } }')).toEqual(['duplicate chains.main.chainId']);
  });

  it('that L1 has by default is free when its own is wrong', () => {
    expect(faultsOf('l1: { chainId: x }\nchains: { main: { chainId: 900 } }')).toEqual(['type l1.chainId']);
  });

  it('of an existing chain is in its files, and takes none from others', () => {
    const from = 'from: { genesis: g.json, rollup: r.json }';
    const faults = faultsOf(`chains: { main: { ${from}, chainId: 7 }, b: { ${from}, chainId: 7 } }`);
    expect(faults).toEqual(['main', 'b'].map((name) => `chain-files chains.${name}.chainId`));
  });

  it.each([
    ['{ main: { chainId: 900 } }', 'main', 'the chain id 900 is taken by L1'],
    ['{ a: { chainId: 7 }, b: { chainId: 7 } }', 'b', 'the chain id 7 is taken by the chain "a"'],
    ['{ a: { chainId: 7 }, b: { chainId: 8 }, c: { chainId: 8 } }', 'c', 'the chain id 8 is taken by the chain "b"'],
  ])('of %s that stand twice are reported with the first owner', (chains, name, message) => {
    expect(problemsOf(`chains: ${chains}`)).toMatchObject([{ path: `chains.${name}.chainId`, message }]);
  });
});

describe('ports', () => {
  const MAIN = 'chains.main';

  it('are those of the processes that a chain has', () => {
    expect(faultsOf('chains: { main: { batcher: false, proposer: false } }')).toEqual([]);
  });

  it.each([
    ['chains: { main: { batcher: { ports: { rpc: 9000 } } } }', `${MAIN}.batcher.ports.rpc`],
    ['chains: { main: { proposer: { ports: { rpc: 9000 } } } }', `${MAIN}.proposer.ports.rpc`],
    [
      'chains: { main: { proposer: { system: dispute-games, challenger: { ports: { rpc: 9000 } } } } }',
      `${MAIN}.proposer.challenger.ports.rpc`,
    ],
    ['chains: { main: { signer: { ports: { rpc: 9000 } } } }', `${MAIN}.signer.ports.rpc`],
    ['chains: { main: { altDa: { ports: { rpc: 9000 } } } }', `${MAIN}.altDa.ports.rpc`],
    [
      'chains: { main: { conductor: { ports: { rpc: 9000 } }, nodes: { s: { role: sequencer, count: 3 } } } }',
      `${MAIN}.conductor.ports.rpc`,
    ],
    [nodes('v: { el: { ports: { http: 9000 } } }'), `${MAIN}.nodes.v.el.ports.http`],
    [nodes('v: { cl: { ports: { rpc: 9000 } } }'), `${MAIN}.nodes.v.cl.ports.rpc`],
  ])('%s with a port of L1 is refused', (text, path) => {
    expect(faultsOf(`l1: { port: 9000 }\n${text}`)).toEqual([`duplicate ${path}`]);
    expect(faultsOf(`l1: { port: 9001 }\n${text}`)).toEqual([]);
    expect(faultsOf(`l1: { beacon: { ports: { http: 9000 } } }\n${text}`)).toEqual([`duplicate ${path}`]);
  });

  it.each([
    ['l1: { port: 9000, beacon: { ports: { http: 9000 } } }', 'l1.beacon.ports.http', 'l1.rpc'],
    [
      'l1: { beacon: { ports: { http: 9000 } } }\nchains: { main: { batcher: { ports: { rpc: 9000 } } } }',
      `${MAIN}.batcher.ports.rpc`,
      'l1.beacon.http',
    ],
    [
      nodes('v: { el: { ports: { http: 9000 } }, cl: { ports: { rpc: 9000 } } }'),
      `${MAIN}.nodes.v.cl.ports.rpc`,
      `${MAIN}.nodes.v.el.http`,
    ],
    [
      nodes('v: { cl: { ports: { rpc: 9000 } } }').replace('nodes:', 'proposer: { ports: { rpc: 9000 } }, nodes:'),
      `${MAIN}.nodes.v.cl.ports.rpc`,
      `${MAIN}.proposer.rpc`,
    ],
  ])('%s has a port twice, which is reported with its first owner', (text, path, owner) => {
    const message = `the port 9000 is given to ${owner} already`;
    expect(problemsOf(text)).toMatchObject([{ code: 'duplicate', path, message }]);
  });
});
