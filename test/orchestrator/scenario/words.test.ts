import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  address,
  as,
  blockNumber,
  chainName,
  data,
  duration,
  hash,
  nodeName,
  orAction,
  orReference,
  POSTER_ACTIONS,
  REFERENCE,
  sender,
  wei,
  within,
} from '../../../src/orchestrator/scenario/words.ts';

const accepts = (type: z.ZodMiniType, value: unknown) => z.safeParse(type, value).success;
const A = 'ab'.repeat(20);

describe('a word of a step', () => {
  it.each<[string, z.ZodMiniType, readonly unknown[], readonly unknown[]]>([
    [
      'an address',
      address,
      [`0x${A}`, `0x${A.toUpperCase()}`],
      [A, `0x${A}0`, `0x${A.slice(1)}`, `x0x${A}`, `0x${'g'.repeat(40)}`, 7],
    ],
    ['data', data, ['0x', '0x12', '0xAb'], ['0x1', '12', '', 'x0x12', '0x12g', '0xg1']],
    [
      'a hash',
      hash,
      [`0x${'1F'.repeat(32)}`],
      [`0x${'1f'.repeat(31)}1`, `0x${'1f'.repeat(33)}`, `y0x${'1f'.repeat(32)}`],
    ],
    ['an amount', wei, ['1 ether', 5, '7'], ['1 pound', -1]],
    ['a name of values', as, ['a', '_b1', 'A'.repeat(39)], ['1a', 'a-b', 'a b', '', 'A'.repeat(40), 'é', '-a']],
    ['a duration', duration, ['500ms', '30s', '5m'], ['0s', '-1s', '5', 5, 'soon', '']],
    ['a time limit', within, ['1ms', '1h'], ['0s', 1]],
    ['a height', blockNumber, [0, 1_000_000_000], [-1, 0.5, 1_000_000_001, '1']],
    ['the index of an account', sender, [0, 999], [-1, 1000, '0']],
    ['a node', nodeName, ['main/a'], ['', 1]],
    ['a chain', chainName, ['main'], ['', 1]],
  ])('is %s', (_, type, good, bad) => {
    expect(good.filter((value) => !accepts(type, value))).toEqual([]);
    expect(bad.filter((value) => accepts(type, value))).toEqual([]);
  });

  it('is an address without the case of a checksum, which another program may have lost', () => {
    for (const text of [A, A.toUpperCase(), `aB${'Ab'.repeat(19)}`])
      expect(z.parse(address, `0x${text}`)).toBe(`0x${A}`);
  });

  it.each([
    ['address', address],
    ['data', data],
    ['hash', hash],
    ['amount', wei],
    ['number', orReference(z.number())],
  ])('may be a reference to an earlier step: %s', (_, type) => {
    for (const text of ['${tx.hash}', '${_a1.logs.0.x}', 'x ${a.b} y']) expect(accepts(type, text), text).toBe(true);
    for (const text of ['${tx}', '${1a.b}', '$tx.hash', '{tx.hash}', '${tx.}', '${tx.hash'])
      expect(accepts(type, text), text).toBe(false);
  });

  it('is an action of a batcher or a proposer, short for a step with it', () => {
    const long = z.strictObject({ action: z.string(), chain: z.exactOptional(z.string()) });
    const type = orAction(POSTER_ACTIONS, long, (action) => ({ action }));
    for (const action of ['stop', 'start', 'kill', 'pause', 'resume'])
      expect(z.parse(type, action)).toEqual({ action });
    expect(z.parse(type, { action: 'stop', chain: 'main' })).toEqual({ action: 'stop', chain: 'main' });
    for (const bad of ['restart', '', 1, { action: 1 }]) expect(accepts(type, bad)).toBe(false);
  });

  it('is a duration in milliseconds, written with its unit', () => {
    expect(z.parse(duration, '1.5s')).toBe(1500);
    expect(z.encode(duration, 1500)).toBe('1500ms');
    expect(z.safeParse(duration, 'soon').error?.issues).toMatchObject([
      { code: 'custom', message: 'a duration such as 500ms, 30s or 5m' },
    ]);
  });
});

it.each([
  ['${tx.hash}', ['tx.hash']],
  ['at ${tx.block} ${_b2.logs.0.topic}', ['tx.block', '_b2.logs.0.topic']],
  ['${HOME} ${a.} ${1.b} ${a-b.c} $a.b', []],
])('the references of %s are %j', (text, names) => {
  expect([...text.matchAll(REFERENCE)].map(([, name]) => name)).toEqual(names);
});
