import { describe, expect, it } from 'vitest';
import { type JsonPart, JsonText, joinJson, lengthOf, type ResponseText } from '../../../src/rpc/server/json-text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a response', () => {
  it.each<[string, ResponseText, number, string | Buffer]>([
    ['of one text', '{"a":1}', 7, '{"a":1}'],
    ['without parts', [], 0, ''],
    ['of texts', ['{"a":', '1}'], 7, '{"a":1}'],
    ['of bytes', [bytes('"é"')], 4, Buffer.from('"é"')],
    ['of texts and bytes', ['"é', bytes('é'), '"'], 5, Buffer.from('"éé"')],
  ])(
    '%s has the length of its parts, and is joined to text, or to bytes if a part is bytes',
    (_, text, length, whole) => {
      expect(lengthOf(text)).toBe(length);
      expect(joinJson(text)).toEqual(whole);
    },
  );
});

it('a JSON text keeps its parts, or has none when it was too long', () => {
  const parts: readonly JsonPart[] = ['1'];
  expect([new JsonText(parts).parts, new JsonText(undefined).parts]).toEqual([parts, undefined]);
});
