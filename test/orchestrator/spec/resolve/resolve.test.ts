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
