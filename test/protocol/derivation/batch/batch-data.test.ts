import { describe, expect, test } from 'vitest';
import { concat } from '../../../../src/protocol/bytes.ts';
import { encodeSingularBatch } from '../../../../src/protocol/codec/singular-batch.ts';
import { encodeRawSpanBatch, rawSpanBatchOf } from '../../../../src/protocol/codec/span/batch.ts';
import { decodeBatch } from '../../../../src/protocol/derivation/batch/batch-data.ts';
import { CHAIN, singular } from '../scripted/batches.ts';

describe('batch of a channel', () => {
  const batch = singular();
  const raw = rawSpanBatchOf([batch], true, CHAIN);

  test('is a singular batch behind version byte 0', () => {
    const encoded = encodeSingularBatch(batch);
    expect(encoded[0]).toBe(0);
    expect(decodeBatch(encoded)).toEqual({ kind: 'singular', batch });
  });

  test('is a span batch behind version byte 1', () => {
    const encoded = encodeRawSpanBatch(raw);
    expect(encoded[0]).toBe(1);
    expect(decodeBatch(encoded)).toEqual({ kind: 'span', batch: raw });
  });

  test.each([
    ['version 2', concat(Uint8Array.of(2), encodeSingularBatch(batch).subarray(1))],
    ['no version', new Uint8Array(0)],
  ])('is malformed when it has %s', (_, encoded) => {
    expect(() => decodeBatch(encoded)).toThrow(
      expect.objectContaining({ code: 'batch-malformed', handling: 'drop', data: { field: 'version' } }),
    );
  });
});
