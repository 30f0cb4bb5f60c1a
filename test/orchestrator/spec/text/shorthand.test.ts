import { describe, expect, it } from 'vitest';
import { keySpanAt, spanAt } from '../../../../src/orchestrator/spec/text/positions.ts';
import { expandShorthands, isPath } from '../../../../src/orchestrator/spec/text/shorthand.ts';
import { parseYaml, plainOf } from '../../../../src/orchestrator/spec/text/yaml.ts';

/** A document with its short forms written out. Its file is in the folder /spec unless it has none. */
function expanded(text: string, path: string | undefined = '/spec/my.yaml') {
  const layer = parseYaml({ name: 'my.yaml', text, ...(path === '' ? {} : { path }) }).layer!;
  expandShorthands(layer, '/cwd');
  return layer;
}
const plain = (...args: Parameters<typeof expanded>) => plainOf(expanded(...args));

/** A value at a place, the keys before it around it. */
const nested = (place: readonly string[], value: unknown): unknown =>
  place.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

const PROCESSES = [
  'l1',
  'l1.beacon',
  'chains.x.batcher',
  'chains.x.proposer',
  'chains.x.proposer.challenger',
  'chains.x.signer',
  'chains.x.altDa',
  'chains.x.conductor',
  'chains.x.nodes.y.el',
  'chains.x.nodes.y.cl',
].map((place) => place.split('.'));

describe('a process', () => {
  it.each(PROCESSES.map((place) => [place.join('.'), place] as const))('%s may be its client’s name', (_, place) => {
    expect(plain(JSON.stringify(nested(place, 'geth')))).toEqual(nested(place, { client: 'geth' }));
    expect(plain(JSON.stringify(nested(place, null)))).toEqual(nested(place, {}));
    expect(plain(JSON.stringify(nested(place, 5)))).toEqual(nested(place, 5));
    expect(plain(JSON.stringify(nested(place, false)))).toEqual(nested(place, false));
    expect(plain(JSON.stringify(nested(place, ['geth'])))).toEqual(nested(place, ['geth']));
  });

  it.each(PROCESSES.map((place) => [place.join('.'), place] as const))('%s has paths from its folder', (_, place) => {
    const text = JSON.stringify(nested(place, { client: './c.yaml', binary: '../b' }));
    expect(plain(text)).toEqual(nested(place, { client: '/spec/c.yaml', binary: '/b' }));
    expect(plain(JSON.stringify(nested(place, './c.yaml')))).toEqual(nested(place, { client: '/spec/c.yaml' }));
  });

  it('may be true for a conductor alone', () => {
    for (const place of PROCESSES) {
      const written = nested(place, true);
      expect(plain(JSON.stringify(written))).toEqual(place.at(-1) === 'conductor' ? nested(place, {}) : written);
    }
  });

  it('keeps the place of its name', () => {
    const layer = expanded('l1: geth');
    expect(spanAt([layer], ['l1', 'client'])).toMatchObject({ start: 4, end: 8 });
    expect(keySpanAt([layer], ['l1', 'client'])).toMatchObject({ start: 4, end: 8 });
    expect(spanAt([layer], ['l1'])).toMatchObject({ start: 0, end: 2 });
  });
});

it.each([
  ['chains:', { chains: {} }],
  ['chains: { x: }', { chains: { x: {} } }],
  ['chains: { x: { nodes: { y: } } }', { chains: { x: { nodes: { y: {} } } } }],
  ['chains: { x: main }', { chains: { x: 'main' } }],
  ['chains: { x: { nodes: } }', { chains: { x: { nodes: null } } }],
  ['name:', { name: null }],
  ['name: a/b', { name: 'a/b' }],
  ['l1: geth\nname: x', { l1: { client: 'geth' }, name: 'x' }],
  ['[1]', [1]],
  ['', {}],
])('%j without a value is an empty map where a map belongs', (text, value) => {
  expect(plain(text)).toEqual(value);
});

describe('l1.port', () => {
  it.each([
    ['{ port: 9000 }', { ports: { rpc: 9000 } }],
    ['{ chainId: 3, port: 9000, client: x }', { chainId: 3, client: 'x', ports: { rpc: 9000 } }],
    ['{ port: 9000, ports: { rpc: 1, x: 2 } }', { ports: { x: 2, rpc: 9000 } }],
    ['{ port: 9000, ports: 5 }', { ports: { rpc: 9000 } }],
    ['{ port: }', { ports: { rpc: null } }],
    ['{ ports: { rpc: 1 } }', { ports: { rpc: 1 } }],
    ['[port]', ['port']],
  ])('of %s is the port of its RPC', (text, l1) => {
    expect(plain(`l1: ${text}`)).toEqual({ l1 });
  });

  it('stands once, in place of another port of the RPC', () => {
    const text = 'l1: { ports: { rpc: 1, x: 2 }, port: 9000 }';
    const layer = expanded(text);
    expect(spanAt([layer], ['l1', 'ports', 'rpc'])).toMatchObject({ start: text.indexOf('9000') });
    expect(keySpanAt([layer], ['l1', 'ports'])).toMatchObject({ start: text.indexOf('port:') });
    expect(spanAt([layer], ['l1', 'ports', 'x'])).toMatchObject({ start: text.indexOf('2') });
  });

  it('keeps its place', () => {
    const layer = expanded('l1: { port: 9000 }');
    expect(spanAt([layer], ['l1', 'ports', 'rpc'])).toMatchObject({ start: 12, end: 16 });
    expect(keySpanAt([layer], ['l1', 'ports', 'rpc'])).toMatchObject({ start: 6, end: 10 });
    expect(keySpanAt([layer], ['l1', 'ports'])).toMatchObject({ start: 6, end: 10 });
  });
});

describe('a file', () => {
  it.each(
    [
      'chains.x.from.genesis',
      'chains.x.from.rollup',
      'chains.x.bundles.jovian',
      'chains.x.alloc',
      'l1.alloc',
      'abi',
      'chains.x.nodes.y.el.external.jwt',
    ].map((place) => [place, place.split('.')] as const),
  )('at %s starts from the folder of the text, else from the working folder', (_, place) => {
    const text = (value: unknown) => JSON.stringify(nested(place, value));
    expect(plain(text('f'))).toEqual(nested(place, '/spec/f'));
    expect(plain(text('f'), '')).toEqual(nested(place, '/cwd/f'));
    for (const value of ['/f', '', 'a\0b', 5, null, ['f']]) expect(plain(text(value))).toEqual(nested(place, value));
  });
});

it.each([
  ['a/b', true],
  ['./a', true],
  ['a.yaml', true],
  ['a.yml', true],
  ['a', false],
  ['a.yaml.bak', false],
  ['ayaml', false],
  ['a.yxml', false],
  ['a.json', false],
])('the word %s is a path: %s', (word, expected) => {
  expect(isPath(word)).toBe(expected);
});
