import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentText } from '../../../../src/orchestrator/spec/resolve/document.ts';
import { specJsonSchema } from '../../../../src/orchestrator/spec/schema/spec.ts';
import { renderProblems } from '../../../../src/orchestrator/spec/text/problem.ts';
import { packageFile, parse, parseValidSpec, sampleNames } from '../../package.ts';

describe('what a spec leaves out', () => {
  it('an empty spec is the default devnet', () => {
    expect(parseValidSpec('{}').spec).toEqual(parseValidSpec(packageFile('devnets', 'default').text).spec);
    expect(parseValidSpec('').spec).toEqual(parseValidSpec('{}').spec);
    const { l1, chains } = parseValidSpec('{}').spec;
    expect(l1).toMatchObject({ client: 'anvil', chainId: 900, blockTime: 2, runtime: 'process' });
    expect(Object.keys(chains)).toEqual(['main']);
    expect(chains['main']).toMatchObject({
      chainId: 901,
      blockTime: 2,
      forks: { base: 'jovian', times: {} },
      proposer: { client: 'proposer', runtime: 'embedded', system: 'output-oracle', interval: 4 },
    });
    expect(Object.entries(chains['main']!.nodes).map(([name, { role, el }]) => [name, role, el.client])).toEqual([
      ['sequencer', 'sequencer', 'execution-rust'],
      ['verifier', 'verifier', 'execution-go'],
    ]);
  });

  it.each([
    ['false', null],
    ['true', {}],
    ['{ port: 9600 }', { port: 9600 }],
  ])('dashboard: %s', (text, expected) => {
    expect(parseValidSpec(`dashboard: ${text}`).spec.dashboard).toEqual(expected);
  });

  it.each([
    [2, '{}', 4],
    [12, '{}', 12],
    [12, '{ system: dispute-games }', 12],
    [12, '{ interval: 5 }', 5],
  ])('with L1 blocks of %i s, proposer: %s proposes every %i s', (l1, text, interval) => {
    const { chains } = parseValidSpec(`l1: { blockTime: ${l1} }\nchains: { main: { proposer: ${text} } }`).spec;
    expect(chains['main']?.proposer?.interval).toBe(interval);
  });

  it('a given map of nodes replaces the default one', () => {
    const { nodes } = parseValidSpec('chains: { main: { nodes: { only: { role: sequencer } } } }').spec.chains['main']!;
    expect(Object.keys(nodes)).toEqual(['only']);
    expect(nodes['only']!.el.client).toBe('execution-rust');
  });

  it('given chains replace the default one, each filled in, with ids of their own', () => {
    const { chains } = parseValidSpec('chains: { a: {}, b: { chainId: 902 }, c: { blockTime: 1 } }').spec;
    expect(Object.entries(chains).map(([name, { chainId, blockTime }]) => [name, chainId, blockTime])).toEqual([
      ['a', 901, 2],
      ['b', 902, 2],
      ['c', 903, 1],
    ]);
  });

  it('a count makes numbered nodes, and each peers with all others', () => {
    const { nodes } = parseValidSpec('chains: { main: { nodes: { s: { role: sequencer }, v: { count: 2 } } } }').spec
      .chains['main']!;
    expect(Object.entries(nodes).map(([name, { peers }]) => [name, peers])).toEqual([
      ['s', ['v-1', 'v-2']],
      ['v-1', ['s', 'v-2']],
      ['v-2', ['s', 'v-1']],
    ]);
  });

  it('forks beside a given base are only those given', () => {
    expect(
      parseValidSpec('chains: { main: { forks: { base: granite, holocene: +20s, isthmus: { block: 40 } } } }').spec
        .chains['main']!.forks,
    ).toEqual({
      base: 'granite',
      times: { holocene: { kind: 'after', seconds: 20 }, isthmus: { kind: 'block', block: 40 } },
    });
  });
});

describe('overlays', () => {
  it.each([
    ['jovian and isthmus at genesis', '{ base: jovian }'],
    ['isthmus and holocene at one time after genesis', '{ base: granite, holocene: +20s, isthmus: +20s }'],
  ])('%s are accepted for a client that refuses later forks at one time', (_, forks) => {
    const node = '{ cl: { client: op-node, binary: op-node } }';
    const text = `chains: { main: { forks: ${forks}, nodes: { a: { role: sequencer }, b: ${node} } } }`;
    expect(parse(text)).toMatchObject({ ok: true });
  });

  it('a spec is laid over its base, map by map', () => {
    const { spec } = parseValidSpec(
      'base: fork-drill\nname: mine\nchains: { main: ' +
        '{ nodes: { late: { override: { holocene: +18s } } }, forks: { isthmus: never, jovian: never } } }',
    );
    expect(spec.name).toBe('mine');
    expect(spec.l1.blockTime).toBe(1);
    expect(Object.keys(spec.chains['main']!.nodes)).toEqual(['sequencer', 'verifier', 'late']);
    expect(spec.chains['main']!.forks.times).toMatchObject({
      holocene: { kind: 'after', seconds: 8 },
      jovian: { kind: 'never' },
    });
  });

  it('--set is laid on top, the last one last', () => {
    const { spec } = parseValidSpec('name: x', {
      sets: [
        'chains.main.blockTime=1',
        'chains.main.nodes.verifier.el.args."http.api"=eth',
        'name=y',
        'chains.main.nodes.sequencer.role=sequencer',
        'name=z',
      ],
    });
    expect(spec.name).toBe('z');
    expect(spec.chains['main']!.blockTime).toBe(1);
    expect(spec.chains['main']!.nodes['verifier']!.el).toMatchObject({
      client: 'execution-go',
      args: { 'http.api': 'eth' },
    });
  });

  it('options of a client are dropped when it is replaced', () => {
    const { spec } = parseValidSpec(
      'chains: { main: { batcher: { args: { poll-interval: 1s } }, ' +
        'nodes: { s: { role: sequencer, el: { client: execution-go, args: { gcmode: full } } } } } }',
      {
        sets: ['chains.main.nodes.s.el.client=execution-rust'],
      },
    );
    expect(spec.chains['main']!.nodes['s']!.el).toMatchObject({ client: 'execution-rust', args: {} });
  });

  it('a path starts from the folder of the text it stands in', () => {
    const { spec } = parseValidSpec(
      'chains: { main: { nodes: { s: { role: sequencer, el: { client: op-geth, binary: ../geth } }, ' +
        'v: { el: { client: op-geth, binary: geth } } } } }',
    );
    expect(spec.chains['main']!.nodes['s']!.el).toMatchObject({ binary: '/base/geth', runtime: 'process' });
    expect(spec.chains['main']!.nodes['v']!.el).toMatchObject({ binary: 'geth' });
  });
});

describe('a resolved spec reads back as itself', () => {
  it.each(sampleNames)('%s', (name) => {
    const { spec, document } = parseValidSpec(packageFile('devnets', name).text);
    expect(parseValidSpec(documentText(document)).spec).toEqual(spec);
  });

  it('with any content', () => {
    const time = fc.oneof(fc.constantFrom('+20s', '+1m', { block: 40 }, 'never', 'now+30s', 1_900_000_000));
    const spec = fc.record(
      {
        name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,38}$/),
        seed: fc.nat(),
        ports: fc.constantFrom('preferred', 'fixed', 'auto'),
        l1: fc.record(
          {
            blockTime: fc.integer({ min: 2, max: 12 }),
            hardfork: fc.constantFrom('cancun', 'prague'),
            finality: fc.constantFrom('devnet', 'real'),
            port: fc.integer({ min: 1, max: 65535 }),
          },
          { requiredKeys: [] },
        ),
        chains: fc.dictionary(
          fc.stringMatching(/^[a-km-z][a-z-]{0,10}$/),
          fc.record(
            {
              blockTime: fc.integer({ min: 1, max: 2 }),
              accounts: fc.record(
                { count: fc.nat({ max: 12 }), balance: fc.constantFrom('1.5 gwei', 7, '10000 ether') },
                { requiredKeys: [] },
              ),
              forks: fc.oneof(
                fc.constant({ base: 'isthmus' }),
                time.map((jovian) => ({ base: 'isthmus', jovian })),
              ),
              batcher: fc.constantFrom(false, { da: 'blobs' }, null, 'batcher'),
              proposer: fc.constantFrom(false, {}, { system: 'dispute-games', interval: 9, gameClock: 60 }),
              onExit: fc.constantFrom('fail', 'restart', 'ignore'),
              nodes: fc.record({
                seq: fc.constant({ role: 'sequencer' }),
                v: fc.record({
                  count: fc.integer({ min: 1, max: 3 }),
                  el: fc.record({
                    args: fc.dictionary(
                      fc.stringMatching(/^[a-z][a-z.-]{0,8}$/),
                      fc.oneof(
                        fc.string({ maxLength: 9 }).filter((text) => !text.includes('\0')),
                        fc.boolean(),
                        fc.constant(null),
                        fc.integer(),
                      ),
                    ),
                  }),
                }),
              }),
            },
            { requiredKeys: [] },
          ),
          { maxKeys: 3 },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(spec, (value) => {
        const outcome = parse(JSON.stringify(value));
        if (!outcome.ok) throw new Error(renderProblems(outcome.problems));
        expect(parseValidSpec(documentText(outcome.document)).spec).toEqual(outcome.spec);
      }),
      { numRuns: 100 },
    );
  });
});

it('the schema for editors knows every key, and describes them', () => {
  const schema = specJsonSchema() as { properties: Record<string, unknown>; additionalProperties: boolean };
  expect(Object.keys(schema.properties)).toEqual(
    expect.arrayContaining(['version', 'base', 'name', 'seed', 'ports', 'time', 'l1', 'chains']),
  );
  expect(schema.additionalProperties).toBe(false);
});

it('--set changes what is there by default, and adds to it', () => {
  const { spec } = parseValidSpec('{}', {
    sets: [
      'chains.main.nodes.verifier.cl.launch=manual',
      'chains.main.nodes.third.el=execution-go',
      'chains.second.blockTime=1',
    ],
  });
  expect(Object.entries(spec.chains['main']!.nodes).map(([name, { cl }]) => [name, cl.launch])).toEqual([
    ['sequencer', 'spawn'],
    ['verifier', 'manual'],
    ['third', 'spawn'],
  ]);
  expect(Object.entries(spec.chains).map(([name, { chainId, blockTime }]) => [name, chainId, blockTime])).toEqual([
    ['main', 901, 2],
    ['second', 902, 1],
  ]);
});
