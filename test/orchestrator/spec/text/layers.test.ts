import { describe, expect, it } from 'vitest';
import { type LayerInputs, readStack } from '../../../../src/orchestrator/spec/text/layers.ts';
import type { Problem } from '../../../../src/orchestrator/spec/text/problem.ts';
import { parseYaml } from '../../../../src/orchestrator/spec/text/yaml.ts';

const source = (name: string, text: string) => ({ name, text, path: `/spec/${name}.yaml` });

/** Reads a text over bases, with assignments on top. */
function read(text: string, bases: Readonly<Record<string, string>> = {}, more: Partial<LayerInputs> = {}) {
  const problems: Problem[] = [];
  const stack = readStack(
    {
      source: source('my', text),
      sets: [],
      cwd: '/cwd',
      baseNames: Object.keys(bases),
      base: (name) => (Object.hasOwn(bases, name) ? source(name, bases[name]!) : undefined),
      parseYaml,
      ...more,
    },
    problems,
  );
  const names = stack?.layers.map((layer) => layer.source.name);
  return { names, value: stack?.value, problems };
}

describe('a spec', () => {
  it('without a base is its own value', () => {
    expect(read('name: x')).toEqual({ names: ['my'], value: { name: 'x' }, problems: [] });
    expect(read('base: 5')).toMatchObject({ names: ['my'], value: { base: 5 }, problems: [] });
  });

  it('is laid over its base, and that over its own', () => {
    const bases = { one: 'base: two\nl1: { client: b, args: { x: 1 } }\nseed: 1', two: 'seed: 2\nname: two' };
    expect(read('base: one\nl1: a', bases)).toEqual({
      names: ['my', 'one', 'two'],
      value: { base: 'one', l1: { client: 'a' }, seed: 1, name: 'two' },
      problems: [],
    });
  });

  it('stands alone over a base that is no YAML, whose problem has its place there', () => {
    const { names, value, problems } = read('base: one', { one: 'a: 1\n[' });
    expect({ names, value }).toEqual({ names: ['my'], value: { base: 'one' } });
    expect(new Set(problems.map(({ code, file }) => `${code} ${file}`))).toEqual(new Set(['yaml one']));
  });

  it('that is no YAML has no value, and its assignments are checked all the same', () => {
    const { names, problems } = read('[', {}, { sets: ['a'] });
    expect(names).toBeUndefined();
    expect(problems.map(({ code, file }) => `${code} ${file}`)).toEqual(['yaml my', 'set --set']);
  });
});

describe('a base', () => {
  it('that is missing is reported with the names that there are', () => {
    const { names, value, problems } = read('name: x\nbase: on', { one: '', two: '' });
    expect({ names, value }).toEqual({ names: ['my'], value: { name: 'x', base: 'on' } });
    expect(problems).toMatchObject([{ code: 'base', file: 'my', line: 2, column: 7, path: 'base', nearest: 'one' }]);
    expect(problems[0]?.allowed).toBe('one, two, the path of a spec');
    expect(problems[0]?.message).toBe('there is no spec "on" to lay this one over');
  });

  it.each<[string, Record<string, string>, string, readonly string[]]>([
    ['itself', { my: '' }, 'my', ['my']],
    ['a spec that is laid over it', { one: 'base: my', my: '' }, 'one', ['my', 'one']],
    ['a base that is laid over itself', { one: 'base: one' }, 'one', ['my', 'one']],
    ['bases that are laid over one another', { one: 'base: two', two: 'base: one' }, 'one', ['my', 'one', 'two']],
  ])('that leads to %s is reported', (_, bases, name, names) => {
    const outcome = read(`base: ${name}`, bases);
    expect(outcome.names).toEqual(names);
    expect(outcome.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      expect.stringMatching(/^base: "\w+" is laid over this spec itself$/),
    ]);
  });

  it('without a path is known by its name', () => {
    const texts: Readonly<Record<string, string>> = { one: 'base: two', two: 'base: one' };
    const base = (name: string) => ({ name, text: texts[name]! });
    const { names, problems } = read('', {}, { base, source: { name: 'my', text: 'base: one' } });
    expect(names).toEqual(['my', 'one', 'two']);
    expect(problems.map(({ file }) => file)).toEqual(['two']);
  });

  it('may be that of two bases in a row', () => {
    expect(read('base: one', { one: 'base: two', two: 'base: three', three: '' }).problems).toEqual([]);
  });
});

describe('assignments', () => {
  const NODES = {
    sequencer: { role: 'sequencer', el: { client: 'execution-rust' }, cl: { client: 'rollup-node' } },
    verifier: { el: { client: 'execution-go' }, cl: { client: 'rollup-node' } },
  };
  const CHAIN = { batcher: { client: 'batcher' }, proposer: { client: 'proposer' }, nodes: NODES };
  const L1 = { client: 'anvil', beacon: { client: 'l1-beacon' } };

  it('are laid over the default network, the last on top', () => {
    expect(read('{}', {}, { sets: ['name=x', 'seed=1', 'name=y'] })).toEqual({
      names: ['--set', '--set', '--set', 'my'],
      value: { l1: L1, chains: { main: CHAIN }, name: 'y', seed: 1 },
      problems: [],
    });
  });

  it('change the clients that a spec does not name, and keep those that it does', () => {
    const text =
      'l1: geth\nchains: { a: { batcher: false }, ' +
      'b: { nodes: { s: { role: sequencer, el: x }, v: { role: verifier } } } }';
    expect(read(text, {}, { sets: ['chains.b.nodes.v.cl=./n.yaml'] }).value).toEqual({
      l1: { ...L1, client: 'geth' },
      chains: {
        a: { ...CHAIN, batcher: false },
        b: {
          ...CHAIN,
          nodes: {
            s: { role: 'sequencer', el: { client: 'x' }, cl: { client: 'rollup-node' } },
            v: { role: 'verifier', el: { client: 'execution-go' }, cl: { client: '/cwd/n.yaml' } },
          },
        },
      },
    });
  });

  it('with a fault are reported, and the others are laid on top', () => {
    const { names, value, problems } = read('{}', {}, { sets: ['seed', 'seed=2'] });
    expect(names).toEqual(['--set', 'my']);
    expect(value).toMatchObject({ seed: 2 });
    expect(problems.map(({ code }) => code)).toEqual(['set']);
  });
});
