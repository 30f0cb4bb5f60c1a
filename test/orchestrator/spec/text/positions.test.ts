import { describe, expect, it } from 'vitest';
import { isGiven, keySpanAt, type Layers, spanAt } from '../../../../src/orchestrator/spec/text/positions.ts';
import type { Span } from '../../../../src/orchestrator/spec/text/source.ts';
import { parseYaml } from '../../../../src/orchestrator/spec/text/yaml.ts';

/** Documents laid over one another, the first on top. */
const layersOf = (...texts: readonly string[]) =>
  texts.map((text, index) => parseYaml({ name: `${index}`, text }).layer!) as unknown as Layers;

/** The number of the layer, and the text that a span covers. */
const shown = ({ source, start, end }: Span) => `${source.name}: ${source.text.slice(start, end)}`;

const TEXT = 'a: 1\nb:\n  c: two\n  d:\n    - x\n    - { y: 3,\n        z: 4 }\ne: { f: 5 }\n';

describe('the place of a path', () => {
  it.each([
    [['a'], '0: 1', '0: a'],
    [['b', 'c'], '0: two', '0: c'],
    [['b'], '0: b', '0: b'],
    [['b', 'd'], '0: d', '0: d'],
    [['b', 'd', 0], '0: x', '0: x'],
    [['b', 'd', 1], '0: { y: 3,', '0: { y: 3,'],
    [['b', 'd', 1, 'z'], '0: 4', '0: z'],
    [['b', 'd', 7], '0: d', '0: d'],
    [['b', 'nope', 'deep'], '0: b', '0: b'],
    [['e', 'f'], '0: 5', '0: f'],
    [['e', 'nope'], '0: e', '0: e'],
    [['nope'], '0: a: 1', '0: a: 1'],
    [[], '0: a: 1', '0: a: 1'],
  ])('%j is its value %s, and its key %s', (path, value, key) => {
    const layers = layersOf(TEXT);
    expect(shown(spanAt(layers, path))).toBe(value);
    expect(shown(keySpanAt(layers, path))).toBe(key);
  });

  it('a document on one line ends where its text ends', () => {
    expect(shown(spanAt(layersOf('{ a: 1 }'), []))).toBe('0: { a: 1 }');
    expect(shown(spanAt(layersOf('[{ a: 1 }, { b: 2 }]\n'), [0]))).toBe('0: { a: 1 }');
  });

  it('an empty document is at its beginning', () => {
    expect(spanAt(layersOf(''), ['a'])).toMatchObject({ start: 0, end: 1 });
    expect(keySpanAt(layersOf('', ''), [])).toMatchObject({ source: { name: '0' }, start: 0, end: 1 });
  });
});

describe('a path in documents laid over one another', () => {
  it.each<[string, readonly string[], readonly string[], string | undefined]>([
    ['is in the topmost that has it', ['a: 1', 'a: 2\nb: 3'], ['a'], '0: 1'],
    ['is below if the topmost lacks it', ['a: { x: 1 }', 'a: { y: 2 }'], ['a', 'y'], '1: 2'],
    ['is hidden by a scalar above', ['a: 1', 'a: { y: 2 }'], ['a', 'y'], undefined],
    ['is hidden by a list above', ['a: [1]', 'a: { y: 2 }'], ['a', 'y'], undefined],
    ['is hidden by a scalar far above', ['a: 1', 'a: { y: { z: 2 } }'], ['a', 'y', 'z'], undefined],
    ['is hidden by a document that is no map', ['1', 'a: 2'], ['a'], undefined],
    ['is below a document without content', ['', 'a: 2'], ['a'], '1: 2'],
    ['is nowhere', ['a: 1', 'b: 2'], ['c'], undefined],
  ])('%s', (_, texts, path, place) => {
    const layers = layersOf(...texts);
    expect(isGiven(layers, path)).toBe(place !== undefined);
    if (place !== undefined) expect(shown(spanAt(layers, path))).toBe(place);
  });
});
