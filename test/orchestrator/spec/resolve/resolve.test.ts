import { describe, expect, it } from 'vitest';
import { resolveSpec } from '../../../../src/orchestrator/spec/resolve/resolve.ts';
import { specSchema } from '../../../../src/orchestrator/spec/schema/spec.ts';
import { template } from '../../package.ts';

type Runtimes = readonly ('embedded' | 'process' | 'docker')[];

/** Resolves a spec whose clients all have the same runtimes. Lists the clients that it asks for. */
function resolved(spec: object, runtimes: Runtimes = ['embedded', 'process', 'docker']) {
  const asked: string[] = [];
  const outcome = resolveSpec(specSchema.parse(spec), 'fallback', (client, path) => {
    asked.push(`${path.join('.')}: ${client}`);
    return client === 'unknown' ? undefined : { ...template('op-geth'), runtimes };
  });
  return { ...outcome, asked };
}
const nodesOf = (nodes: object, more: object = {}) => resolved({ chains: { main: { nodes, ...more } } });
const SEQUENCER = { role: 'sequencer' };

describe('a resolved spec', () => {
  it('has its own name, or that of its place', () => {
    expect(resolved({ name: 'x' }).spec.name).toBe('x');
    expect(resolved({}).spec.name).toBe('fallback');
    expect(resolved({ base: 'default' }).spec).not.toHaveProperty('base');
    expect(resolved({}).spec.l1).not.toHaveProperty('port');
  });

  it('asks for the client of each process at its place', () => {
    expect(resolved({}).asked.toSorted()).toEqual([
      'chains.main.batcher: batcher',
      'chains.main.nodes.sequencer.cl: rollup-node',
      'chains.main.nodes.sequencer.el: execution-rust',
      'chains.main.nodes.verifier.cl: rollup-node',
      'chains.main.nodes.verifier.el: execution-go',
      'chains.main.proposer: proposer',
      'l1.beacon: l1-beacon',
      'l1: anvil',
    ]);
  });

  it('asks for the clients of what a chain may have besides, at their places', () => {
    const proposer = { challenger: {} };
    const { asked, spec } = resolved({ chains: { main: { proposer, signer: {}, altDa: {}, conductor: {} } } });
    expect(asked.filter((line) => !/nodes|l1|batcher/.test(line))).toEqual(
      expect.arrayContaining([
        'chains.main.proposer: proposer',
        'chains.main.proposer.challenger: challenger',
        'chains.main.signer: signer',
        'chains.main.altDa: da-server',
        'chains.main.conductor: conductor',
      ]),
    );
    expect(spec.chains['main']).toMatchObject({
      proposer: { client: 'proposer', runtime: 'embedded', challenger: { client: 'challenger', runtime: 'embedded' } },
      signer: { client: 'signer', runtime: 'embedded' },
      altDa: { client: 'da-server', runtime: 'embedded' },
      conductor: { client: 'conductor', runtime: 'embedded', front: null },
    });
  });

  it('has none of them by default', () => {
    expect(resolved({}).spec.chains['main']).toMatchObject({
      proposer: { challenger: null },
      signer: null,
      altDa: null,
      conductor: null,
    });
  });

  it.each([
    [{}, 1],
    [{ challenger: {} }, 18],
    [{ challenger: {}, gameClock: 7 }, 7],
    [{ gameClock: 7 }, 7],
  ])('with L1 blocks of 3 s and the proposer %j has games with a clock of %i s', (proposer, seconds) => {
    const { spec } = resolved({ l1: { blockTime: 3 }, chains: { main: { proposer } } });
    expect(spec.chains['main']?.proposer?.gameClock).toBe(seconds);
  });

  it.each([
    ['execution-go', 'l1-execution-go'],
    ['execution-rust', 'l1-execution-rust'],
    ['anvil', 'anvil'],
    ['geth', 'geth'],
  ])('with the client %s on L1 runs the template %s', (client, name) => {
    const { spec, asked } = resolved({ l1: { client } });
    expect(spec.l1.client).toBe(name);
    expect(asked).toContain(`l1: ${name}`);
  });

  it.each([
    [{}, 'prague'],
    [{ hardfork: 'cancun' }, 'cancun'],
    [{ forks: { base: 'osaka' } }, 'osaka'],
    [{ hardfork: 'cancun', forks: { base: 'osaka' } }, 'cancun'],
  ])('with the L1 %j begins with %s', (l1, hardfork) => {
    expect(resolved({ l1 }).spec.l1.hardfork).toBe(hardfork);
  });

  it('keeps the place and the port names of L1 where they stand', () => {
    const { l1 } = resolved({ l1: { ports: { rpc: 9000 }, chainId: 5, beacon: { ports: { http: 9001 } } } }).spec;
    expect(l1).toMatchObject({
      ports: { rpc: 9000 },
      chainId: 5,
      beacon: { ports: { http: 9001 }, runtime: 'embedded' },
    });
  });

  it('has no batcher and no proposer where there is none', () => {
    const { main } = resolved({ chains: { main: { batcher: false, proposer: false } } }).spec.chains;
    expect(main).toMatchObject({ batcher: null, proposer: null });
  });

  it.each([
    [1, undefined, 4],
    [4, undefined, 4],
    [5, undefined, 5],
    [5, 3, 3],
  ])('with L1 blocks of %i s and an interval of %s s proposes every %i s', (blockTime, interval, expected) => {
    const proposer = interval === undefined ? {} : { interval };
    expect(resolved({ l1: { blockTime }, chains: { main: { proposer } } }).spec.chains['main']?.proposer).toMatchObject(
      {
        interval: expected,
      },
    );
  });
});

describe('a conductor that leads one sequencer alone', () => {
  const conductorOf = (conductor: object, leadsOne = true) => {
    const asked: string[] = [];
    const input = specSchema.parse({ chains: { main: { conductor } } });
    const { spec } = resolveSpec(input, 'x', (client, path) => {
      if (path.includes('conductor')) asked.push(`${path.join('.')}: ${client}`);
      return { ...template('op-geth'), leadsOne: leadsOne && client === 'mine', runtimes: ['process', 'embedded'] };
    });
    return { conductor: spec.chains['main']!.conductor!, asked };
  };

  it('has the process of this package before the set, with the port of the spec', () => {
    const { conductor, asked } = conductorOf({ client: 'mine', binary: 'b', ports: { rpc: 9000, raft: 9001 } });
    expect(conductor).toMatchObject({
      client: 'mine',
      binary: 'b',
      runtime: 'process',
      ports: { rpc: 9000, raft: 9001 },
    });
    expect(conductor.front).toMatchObject({ client: 'conductor', runtime: 'embedded', ports: { rpc: 9000 } });
    expect(conductor.front?.ports).toEqual({ rpc: 9000 });
    expect(conductor.front).not.toHaveProperty('binary');
    expect(new Set(asked)).toEqual(new Set(['chains.main.conductor: mine', 'chains.main.conductor: conductor']));
  });

  it('has a process before the set without a port when the spec names none', () => {
    expect(conductorOf({ client: 'mine', ports: { raft: 1 } }).conductor.front?.ports).toEqual({});
  });

  it.each([
    ['another client', { client: 'other' }, true],
    ['a client that leads the set', { client: 'mine' }, false],
  ])('is not %s, which has no process before it', (_, conductor, leadsOne) => {
    expect(conductorOf(conductor, leadsOne).conductor.front).toBeNull();
  });

  it('is none of an unknown client', () => {
    const { spec } = resolved({ chains: { main: { conductor: { client: 'unknown' } } } });
    expect(spec.chains['main']?.conductor).toMatchObject({ client: 'unknown', front: null });
  });
});

describe('the topology of a chain', () => {
  const topologyOf = (chain: object) => resolved({ chains: { main: chain } }).spec.chains['main']!;
  const count = (nodes: number) => ({ nodes: { s: SEQUENCER, v: { count: nodes - 1 } } });

  it.each([
    [{}, 'mesh'],
    [count(8), 'mesh'],
    [count(9), 'random:4'],
    [{ ...count(9), peers: 'ring' }, 'ring'],
  ])('%j is %s', (chain, topology) => {
    expect(topologyOf(chain).peers).toBe(topology);
  });

  it('that is random follows from the seed of the spec', () => {
    const peersOf = (seed: number) => {
      const { nodes } = resolved({ seed, chains: { main: count(12) } }).spec.chains['main']!;
      return Object.values(nodes).map(({ peers }) => peers);
    };
    expect(peersOf(1)).toEqual(peersOf(1));
    expect(peersOf(1)).not.toEqual(peersOf(2));
  });
});

describe('chain ids', () => {
  const from = { genesis: 'g', rollup: 'r' };

  it.each<[string, object, object, readonly number[]]>([
    ['count from 901', {}, { a: {}, b: {} }, [901, 902]],
    ['leave out that of L1', { chainId: 902 }, { a: {}, b: {} }, [901, 903]],
    ['leave out those of other chains', {}, { a: {}, b: { chainId: 901 }, c: { chainId: 902 } }, [903, 901, 902]],
    ['are not taken by existing chains', {}, { a: { from }, b: {} }, [902, 901]],
  ])('%s', (_, l1, chains, ids) => {
    const { spec } = resolved({ l1, chains });
    expect(Object.values(spec.chains).map(({ chainId }) => chainId)).toEqual(ids);
  });
});

describe('the runtime of a process', () => {
  const ALL: Runtimes = ['embedded', 'process', 'docker'];
  const NONE = { manual: { launch: 'manual' } };

  it.each<[string, object, string | undefined, Runtimes, string]>([
    ['is the one that it names', { runtime: 'docker', binary: 'b' }, undefined, ALL, 'docker'],
    ['is docker with an image', { image: 'i', binary: 'b' }, 'embedded', ALL, 'docker'],
    ['is process with a binary', { binary: 'b' }, 'docker', ALL, 'process'],
    ['is embedded where that is possible', {}, undefined, ALL, 'embedded'],
    ['is process otherwise', {}, undefined, ['process', 'docker'], 'process'],
    ['is process without any', {}, undefined, [], 'process'],
    ['is docker by the spec', {}, 'docker', ['process'], 'docker'],
    ['is not docker if the user starts it', NONE.manual, 'docker', ALL, 'embedded'],
    ['is not docker if the user starts it, and not embedded', NONE.manual, 'docker', ['process', 'docker'], 'process'],
    ['is process by the spec', {}, 'process', ALL, 'process'],
    ['is embedded by the spec', {}, 'embedded', ALL, 'embedded'],
    ['is not that of the spec if the client lacks it', {}, 'process', ['embedded'], 'embedded'],
  ])('%s', (_, process, runtime, runtimes, expected) => {
    const { spec } = resolved({ ...(runtime === undefined ? {} : { runtime }), l1: process }, runtimes);
    expect(spec.l1.runtime).toBe(expected);
  });

  it('of an unknown client is process', () => {
    expect(resolved({ l1: { client: 'unknown' } }).spec.l1).toMatchObject({ client: 'unknown', runtime: 'process' });
  });
});

describe('nodes', () => {
  it('of a count are numbered, and stand at one place', () => {
    const { spec, nodePath, repeated } = nodesOf({ s: SEQUENCER, v: { count: 2 } });
    expect(Object.keys(spec.chains['main']!.nodes)).toEqual(['s', 'v-1', 'v-2']);
    expect(spec.chains['main']!.nodes['v-1']).not.toHaveProperty('count');
    expect(nodePath('main', 'v-2')).toEqual(['chains', 'main', 'nodes', 'v']);
    expect(nodePath('main', 's')).toEqual(['chains', 'main', 'nodes', 's']);
    expect(nodePath('other', 'x')).toEqual(['chains', 'other', 'nodes', 'x']);
    expect(repeated).toEqual([]);
  });

  it('that stand twice are listed with the later place, and the name keeps the first one', () => {
    const { nodePath, repeated } = nodesOf({ v: { count: 2 }, 'v-2': SEQUENCER });
    expect(repeated).toEqual([{ chain: 'main', node: 'v-2', path: ['chains', 'main', 'nodes', 'v-2'] }]);
    expect(nodePath('main', 'v-2')).toEqual(['chains', 'main', 'nodes', 'v']);
  });

  it('of two chains may have one name', () => {
    const { repeated } = resolved({ chains: { a: { nodes: { s: SEQUENCER } }, b: { nodes: { s: SEQUENCER } } } });
    expect(repeated).toEqual([]);
  });

  it.each<[string, object, string, Record<string, readonly string[]>]>([
    [
      'all, in the order of the spec',
      { a: {}, s: SEQUENCER, b: {} },
      'mesh',
      { a: ['s', 'b'], s: ['a', 'b'], b: ['a', 's'] },
    ],
    ['the sequencer alone in a star', { a: {}, s: SEQUENCER, b: {} }, 'star', { a: ['s'], s: ['a', 'b'], b: ['s'] }],
    [
      'the first node in a star without a sequencer',
      { a: {}, b: {}, c: {} },
      'star',
      { a: ['b', 'c'], b: ['a'], c: ['a'] },
    ],
    [
      'those that it names',
      { s: SEQUENCER, a: { peers: ['b'] }, b: {} },
      'mesh',
      { s: ['b'], a: ['b'], b: ['s', 'a'] },
    ],
    ['none if it names none', { s: SEQUENCER, a: { peers: [] }, b: {} }, 'mesh', { s: ['b'], a: [], b: ['s'] }],
  ])('have as peers %s', (_, nodes, peers, expected) => {
    const { spec } = nodesOf(nodes, { peers });
    const actual = Object.entries(spec.chains['main']!.nodes).map(([name, node]) => [name, node.peers]);
    expect(Object.fromEntries(actual)).toEqual(expected);
  });

  it('have the execution client of their role unless they name one', () => {
    const { nodes } = nodesOf({ s: SEQUENCER, v: {}, x: { el: 'other' } }).spec.chains['main']!;
    expect(Object.values(nodes).map(({ el }) => el.client)).toEqual(['execution-rust', 'execution-go', 'other']);
  });
});
