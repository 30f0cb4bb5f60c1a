import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeJson } from '../../../../src/nodes/execution/methods/encode-json.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';

const encoded = (value: unknown, limit = Number.POSITIVE_INFINITY) =>
  runToCompletion(encodeJson(value, limit))?.join('');

test('the JSON encoder encodes as JSON.stringify, null for a missing value', () => {
  const long = fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined)), { minLength: 60, maxLength: 70 });
  const nested = fc.oneof(long, fc.dictionary(fc.string(), fc.oneof(long, fc.jsonValue(), fc.constant(undefined))));
  fc.assert(
    fc.property(fc.oneof(nested, fc.array(nested), fc.jsonValue()), (value) => {
      expect(encoded(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 200 },
  );
  expect(encoded(undefined)).toBe('null');
});

test('the JSON encoder encodes the steps of a trace in many parts', () => {
  const structLogs = Array.from({ length: 1000 }, (_, pc) => ({ pc, op: 'PUSH1', stack: ['0x1'] }));
  const steps = [...encodeJson([{ txHash: '0x1', result: { gas: 1, structLogs } }], Number.POSITIVE_INFINITY)];
  expect(steps.length).toBeGreaterThan(60);
});

test('the JSON encoder returns undefined above the limit', () => {
  const value = Array.from({ length: 100 }, () => 'a');
  expect(encoded(value, 401)).toHaveLength(401);
  expect(encoded(value, 400)).toBeUndefined();
});
