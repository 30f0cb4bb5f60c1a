import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { overlay } from '../../../../src/orchestrator/spec/text/merge.ts';

describe('an overlay', () => {
  it.each<[string, Json, Json, Json]>([
    ['replaces a scalar', 1, 2, 2],
    ['replaces a scalar by a map', 1, { a: 1 }, { a: 1 }],
    ['replaces a map by a scalar', { a: 1 }, 1, 1],
    ['replaces a map by nothing', { a: 1 }, null, null],
    ['replaces a map by a list', { a: 1 }, [1], [1]],
    ['replaces a list', [1, 2], [3], [3]],
    ['merges maps', { a: 1, b: { c: 1, d: 2 } }, { b: { c: 3 }, e: 4 }, { a: 1, b: { c: 3, d: 2 }, e: 4 }],
    ['keeps a value over which nothing is laid', { a: 1 }, { a: undefined }, { a: 1 }],
  ])('%s', (_, base, over, merged) => {
    expect(overlay(base, over)).toEqual(merged);
  });

  const OPTIONS = ['args', 'env', 'runtime', 'binary', 'image', 'limits', 'ports', 'external'];
  const process = { client: 'a', launch: 'manual', ...Object.fromEntries(OPTIONS.map((key) => [key, { x: 1 }])) };

  it('drops the options of a client that another one replaces', () => {
    expect(overlay(process, { client: 'b', args: { y: 2 } })).toEqual({
      client: 'b',
      launch: 'manual',
      args: { y: 2 },
    });
    expect(overlay(process, { client: null })).toEqual({ client: null, launch: 'manual' });
  });

  it.each<[string, Json, Json]>([
    ['the same client', process, { client: 'a' }],
    ['no client', process, { launch: 'manual' }],
    ['a map as the client', process, { client: { a: 1 } }],
    ['a list as the client', process, { client: [1] }],
    ['a client over none', { ...process, client: undefined }, { client: 'b' }],
    ['a client over a map', { ...process, client: { a: 1 } }, { client: 'b' }],
  ])('keeps the options below %s', (_, base, over) => {
    expect(Object.keys(overlay(base, over) as object)).toEqual(expect.arrayContaining(OPTIONS));
  });
});
