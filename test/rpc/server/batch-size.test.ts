import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasMoreItems } from '../../../src/rpc/server/batch-size.ts';

test('the batch limit counts the items of any list as a parser does', () => {
  fc.assert(
    fc.property(fc.array(fc.json(), { maxLength: 8 }), fc.integer({ min: 1, max: 8 }), (items, limit) => {
      expect(hasMoreItems(` [${items.join(' ,')}]`, limit)).toBe(items.length > limit);
    }),
  );
});

test.each([
  ['one request', '{"a":[1,2,3,4]}'],
  ['one request of many fields', '{"a":1,"b":2,"c":3,"d":4}'],
  ['text with commas', '["a,b,c,d"]'],
  ['text with quotes', String.raw`["\\\",\"\",,,", "\\\\"]`],
  ['a list in a list', '[[1,2,3,4]]'],
  ['nothing', ''],
  ['what is not JSON', '[1,"'],
])('the batch limit of two does not refuse %s', (_, text) => {
  expect(hasMoreItems(text, 2)).toBe(false);
});

test.each([
  ['text that ends in a backslash', String.raw`["\\",1,2]`],
  ['text that ends in two backslashes', String.raw`["\\\\",1,2]`],
  ['text that ends in a quote', String.raw`["\"",1,2]`],
])('the batch limit of two refuses three items of which the first is %s', (_, text) => {
  expect(hasMoreItems(text, 2)).toBe(true);
});
