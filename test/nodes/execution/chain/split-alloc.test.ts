import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAlloc } from '../../../../src/nodes/execution/chain/split-alloc.ts';

/** Strings of the characters that decide where a string, an escape or a value ends. */
const text = fc.string({ unit: fc.constantFrom('a', 'é', '"', '\\', '{', '}', '[', ']', ',', ':', 'alloc', '\n') });
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3 }),
  ),
})).any;
/** The text of a member of an object. Spaces around it belong to no value. */
const member = fc
  .tuple(text, value, fc.constantFrom('', ' ', '\n'))
  .map(([key, content, space]) => `${space}${JSON.stringify(key)}${space}:${space}${JSON.stringify(content)}`);
const members = fc.array(
  member.filter((one) => !/^\s*"alloc"/.test(one)),
  { maxLength: 3 },
);

test('a document in chunks of any size is split into the alloc and the rest', () => {
  fc.assert(
    fc.property(members, value, members, fc.integer({ min: 1, max: 40 }), (before, content, after, size) => {
      const alloc = JSON.stringify(content);
      const document = (text: string) => `{${[...before, `"alloc":${text}`, ...after].join(',')}}`;
      const bytes = Buffer.from(document(alloc));
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const allocKey = createHash('sha256').update(alloc).digest('hex');
      expect(splitAlloc(chunks)).toEqual({ rest: document('null'), allocKey });
    }),
    { numRuns: 3000 },
  );
});

test.each([
  '{}',
  '["alloc"]',
  '{"a":"alloc"}',
  '{"a":{"alloc":1}}',
  // Malformed: the parser of the rest reports it.
  '{["alloc"]:1}',
  '{"alloc"}:1',
  '{"a\\lloc":1}',
])('a document without a key "alloc" at its top is left as it is: %s', (document) => {
  expect(splitAlloc([Buffer.from(document)])).toEqual({ rest: document, allocKey: undefined });
});
