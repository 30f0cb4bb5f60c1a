import { describe, expect, test } from 'vitest';
import { type JsonFields, jsonData, jsonFields } from '../../../src/protocol/codec/json.ts';

const read = (value: unknown, as: (fields: JsonFields) => unknown) => () => as(jsonFields({ value }, 'block'));
const malformed = (field: string) =>
  expect.objectContaining({ code: 'json-malformed', handling: 'drop', data: { field } });

describe('fields of a JSON object', () => {
  test.each<[string, unknown, (fields: JsonFields) => unknown, unknown]>([
    ['DATA', '0xAB', (fields) => fields.data('value'), '0xab'],
    ['DATA of no bytes', '0x', (fields) => fields.data('value'), '0x'],
    ['DATA of two bytes', '0xabcd', (fields) => fields.data('value', 2), '0xabcd'],
    ['QUANTITY', '0x1F', (fields) => fields.bigint('value'), 31n],
    ['the largest uint64', `0x${'f'.repeat(16)}`, (fields) => fields.uint64('value'), 2n ** 64n - 1n],
    ['the largest number', '0x1fffffffffffff', (fields) => fields.number('value'), 2 ** 53 - 1],
    ['a JSON number', 7, (fields) => fields.integer('value'), 7],
    ['zero', 0, (fields) => fields.integer('value'), 0],
    ['a QUANTITY as integer', '0x7', (fields) => fields.integer('value'), 7],
    ['true', true, (fields) => fields.boolean('value'), true],
    ['a list', [1], (fields) => fields.array('value'), [1]],
    ['presence', 0, (fields) => fields.has('value'), true],
    ['null is absent', null, (fields) => fields.has('value'), false],
    ['nothing is absent', undefined, (fields) => fields.has('value'), false],
  ])('are read: %s', (_, value, as, expected) => {
    expect(read(value, as)()).toEqual(expected);
  });

  test.each<[string, unknown, (fields: JsonFields) => unknown]>([
    ['DATA without 0x', 'ab', (fields) => fields.data('value')],
    ['DATA behind other text', 'a0xab', (fields) => fields.data('value')],
    ['DATA of half a byte', '0xa', (fields) => fields.data('value')],
    ['DATA with another digit', '0xag', (fields) => fields.data('value')],
    ['DATA before other text', '0xab--', (fields) => fields.data('value')],
    ['DATA of another size', '0xab', (fields) => fields.data('value', 2)],
    ['a number as DATA', 1, (fields) => fields.data('value')],
    ['QUANTITY without digits', '0x', (fields) => fields.bigint('value')],
    ['QUANTITY behind other text', 'a0x1', (fields) => fields.bigint('value')],
    ['QUANTITY before other text', '0x1g', (fields) => fields.bigint('value')],
    ['a decimal text', '1', (fields) => fields.bigint('value')],
    ['a number as QUANTITY', 1, (fields) => fields.bigint('value')],
    ['2^64 as uint64', `0x1${'0'.repeat(16)}`, (fields) => fields.uint64('value')],
    ['2^53 as number', '0x20000000000000', (fields) => fields.number('value')],
    ['a negative integer', -1, (fields) => fields.integer('value')],
    ['a fraction', 1.5, (fields) => fields.integer('value')],
    ['an integer of 2^53', 2 ** 53, (fields) => fields.integer('value')],
    ['a text as flag', 'true', (fields) => fields.boolean('value')],
    ['a map as list', {}, (fields) => fields.array('value')],
    ['nothing', undefined, (fields) => fields.data('value')],
    ['null', null, (fields) => fields.bigint('value')],
  ])('are refused by their place: %s', (_, value, as) => {
    expect(read(value, as)).toThrow(malformed('block.value'));
  });

  test.each([[null], [undefined], ['text'], [[]], [1]])('%j is no object', (value) => {
    expect(() => jsonFields(value, 'block')).toThrow(malformed('block'));
  });

  test('are shown as they are, cut at 80 characters', () => {
    const refusal = (value: unknown) => {
      try {
        return jsonData(value, 'x');
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusal(undefined)).toBe('x: expected hex data, found nothing');
    expect(refusal({ a: 1 })).toBe('x: expected hex data, found {"a":1}');
    expect(refusal(() => 1)).toBe('x: expected hex data, found function');
    expect(refusal('z'.repeat(200))).toBe(`x: expected hex data, found "${'z'.repeat(79)}`);
  });
});
