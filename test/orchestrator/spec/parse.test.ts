import { describe, expect, it } from 'vitest';
import { NOW, parse, parseValidSpec, template, templateNames } from '../package.ts';
import { faultsOf, nodes, problemsOf } from './checks/problems.ts';

const el = (text: string) => nodes(`b: { el: ${text} }`);

describe('a spec that is read', () => {
  it('has its document, the clients that it uses, and no files when it names none', () => {
    const { spec, document, clients, files } = parseValidSpec('name: x\nchains: { main: { proposer: false } }');
    expect(spec.name).toBe('x');
    expect(document).toMatchObject({
      name: 'x',
      chains: { main: { proposer: false, batcher: { client: 'batcher' } } },
    });
    expect([...clients.keys()].toSorted()).toEqual([
      'anvil',
      'batcher',
      'execution-go',
      'execution-rust',
      'l1-beacon',
      'rollup-node',
    ]);
    expect(files).toEqual({ rollupConfigs: {}, genesisConfigs: {}, genesisFunds: {}, bundleTexts: {}, allocs: {} });
  });

  it('has the name of its folder when it names none', () => {
    expect(parseValidSpec('{}').spec.name).toBe('my-devnet');
  });

  it.each([
    ['that is no YAML', 'name: [', ['yaml ']],
    ['whose base is missing', 'base: nope', ['base base']],
    ['whose shape is wrong', 'seed: x', ['type seed']],
    ['that a check refuses', 'chains: { l1: {} }', ['name chains.l1']],
  ])('%s is refused', (_, text, faults) => {
    expect(parse(text).ok).toBe(false);
    expect([...new Set(faultsOf(text))]).toEqual(faults);
  });

  it('has its problems in the order of the text, those of its shape among those of the checks', () => {
    const text = 'chains: { l1: {}, main: { blockTime: x, chainId: 900 } }\nseed: x\n';
    expect(faultsOf(text)).toEqual([
      'name chains.l1',
      'type chains.main.blockTime',
      'duplicate chains.main.chainId',
      'type seed',
    ]);
  });

  it('with more faults than are looked for is not checked further', () => {
    const keys = Array.from({ length: 201 }, (_, index) => `key-${index}: 1\n`).join('');
    const faults = faultsOf(`chains: { l1: {} }\n${keys}`);
    expect(faults).toHaveLength(200);
    expect(faults).not.toContain('name chains.l1');
  });

  it.each([
    ['[5, ghost]', ['0: 5', '1: ghost']],
    ['[ghost, {}, s, phantom]', ['0: ghost', '1: {}', '3: phantom']],
  ])('has the items of a list at their places, also behind one that is wrong as a whole: %s', (peers, faults) => {
    const problems = problemsOf(nodes(`v: { peers: ${peers} }`));
    expect(
      problems.map(({ path, source, column, width }) => {
        const word = source.slice(column - 1, column - 1 + width);
        return `${path.replace('chains.main.nodes.v.peers.', '')}: ${word}`;
      }),
    ).toEqual(faults);
  });

  it('names amsterdam as what is missing on purpose, not as an unknown word', () => {
    expect(problemsOf('l1: { hardfork: amsterdam }')).toMatchObject([
      { message: 'the rules of amsterdam are not implemented: of an external L1 its headers are read' },
    ]);
  });
});

describe('what follows from a known fault', () => {
  it.each([
    ['a chain without nodes, as the one that it has is wrong', 'chains: { main: { nodes: { b: 5 } } }', 'b'],
    [
      'a default for a wrong client',
      'l1: { client: geth, binary: g, hardfork: cancun, beacon: { client: 5 } }',
      'client',
    ],
  ])('is not reported: %s', (_, text, key) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(new RegExp(`^type .*\\.${key}$`))]);
  });

  it('is not reported below the fault, and is without it', () => {
    const client = (name: string) => (name === 'batcher' ? undefined : template(name));
    expect(faultsOf('chains: { main: { batcher: 5 } }', { client })).toEqual(['type chains.main.batcher']);
    expect(faultsOf('chains: { main: {} }', { client })).toEqual(['client chains.main.batcher.client']);
  });

  it('is nothing that stands elsewhere', () => {
    expect(faultsOf('chains: { main: { blockTime: x }, l1: {} }')).toEqual([
      'type chains.main.blockTime',
      'name chains.l1',
    ]);
    expect(faultsOf('seed: x\nl1: { blockTime: 1 }')).toEqual(['type seed', 'value l1.blockTime']);
  });
});

describe('the time of a fork', () => {
  const at = (forks: string, more = '') =>
    `${more}\nchains: { main: { blockTime: 3, forks: { base: granite, ${forks} } } }`;
  const l1 = (forks: string) => `l1: { client: execution-go, blockTime: 3, forks: { ${forks} } }`;

  it.each<[string, readonly string[]]>([
    [at('holocene: { block: 10 }, isthmus: +30s', 'l1: { blockTime: 4 }'), []],
    [at('holocene: { block: 10 }, isthmus: +29s', 'l1: { blockTime: 4 }'), ['fork-order chains.main.forks.isthmus']],
    [l1('osaka: { block: 10 }, bpo1: +30s'), []],
    [l1('osaka: { block: 10 }, bpo1: +29s'), ['fork-order l1.forks.bpo1']],
  ])('%s counts blocks from genesis', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it.each<[string, readonly string[]]>([
    [at(`holocene: now+5s, isthmus: ${NOW + 5}`, 'l1: { blockTime: 3 }'), []],
    [at(`holocene: ${NOW + 5}, isthmus: now+5s`, 'l1: { blockTime: 3 }'), []],
    [l1(`osaka: now+5s, bpo1: ${NOW + 5}`), []],
    [l1(`osaka: ${NOW + 5}, bpo1: now+5s`), []],
  ])('%s counts from the whole second of planning', (text, faults) => {
    expect(faultsOf(text, { now: NOW + 0.7 })).toEqual(faults);
  });
});

describe('a client', () => {
  const MISSING = 'there is no template /base/spec/mine.yaml';
  /** Loads templates of the user by path, and counts. */
  const loader = (loaded: ReturnType<typeof template> | ReturnType<typeof problemsOf> | undefined) => {
    const asked: string[] = [];
    const loadClient = (path: string) => {
      asked.push(path);
      return loaded;
    };
    return { asked, loadClient };
  };
  const BOTH = nodes('b: { el: ./mine.yaml }, c: { el: ./mine.yaml }');

  it('of the user is loaded once, by its path from the folder of the spec', () => {
    const { asked, loadClient } = loader(template('execution-go'));
    const { clients } = parseValidSpec(BOTH, { loadClient });
    expect(asked).toEqual(['/base/spec/mine.yaml']);
    expect(clients.get('/base/spec/mine.yaml')?.name).toBe('execution-go');
  });

  it('of the user that is wrong is loaded once, and its problems are those of the spec', () => {
    const [problem] = problemsOf('seed: x');
    const { asked, loadClient } = loader([problem!, problem!]);
    expect(problemsOf(BOTH, { loadClient })).toEqual([problem, problem]);
    expect(asked).toHaveLength(1);
  });

  it('of the user that is missing is reported once, at the place that names it first', () => {
    const { asked, loadClient } = loader(undefined);
    const path = 'chains.main.nodes.b.el.client';
    expect(problemsOf(BOTH, { loadClient })).toMatchObject([{ code: 'client', path, message: MISSING, column: 61 }]);
    expect(asked).toHaveLength(1);
  });

  it('of the package is asked for by its name, once', () => {
    const asked: string[] = [];
    const client = (name: string) => {
      asked.push(name);
      return template(name);
    };
    expect(parse('{}', { client, clientNames: [] }).ok).toBe(true);
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
    expect(asked).toContain('rollup-node');
  });

  it('that is unknown is reported with those of its kind that can be loaded', () => {
    const more = {
      clientNames: ['gone', ...templateNames],
      client: (name: string) => (templateNames.includes(name) ? template(name) : undefined),
    };
    const names = templateNames.filter((name) => template(name).kind === 'el');
    expect(problemsOf(el('nope'), more)).toMatchObject([{ allowed: [...names, 'the path of a template'].join(', ') }]);
  });
});

describe('the key of a challenger', () => {
  const key = (digits: string) => `0x${digits.repeat(32)}`;
  const challenger = `challenger: { key: "${key('12')}" }`;
  const text = `chains: { main: { chainId: 7, proposer: { system: dispute-games, ${challenger} } } }`;
  const rolesOf = (chainId: number) => ({
    other: { privateKey: key('34') },
    [`owner-${chainId}`]: { privateKey: key('12') },
  });

  it('is compared with those of the roles of its chain', () => {
    expect(problemsOf(text, { rolesOf })).toMatchObject([
      { path: 'chains.main.proposer.challenger.key', message: 'this is the key of the owner-7 of the chain' },
    ]);
  });

  it('is compared with none when the roles are not known', () => {
    expect(problemsOf(text)).toEqual([]);
  });
});
