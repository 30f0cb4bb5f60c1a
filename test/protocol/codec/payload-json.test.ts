import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attributesFromJson, attributesToJson } from '../../../src/protocol/codec/attributes-json.ts';
import {
  envelopeFromJson,
  envelopeToJson,
  payloadFromJson,
  payloadToJson,
} from '../../../src/protocol/codec/payload-json.ts';
import type { PayloadAttributes } from '../../../src/protocol/types.ts';
import { address, data, hash, hexOfSize, uint64 } from '../arbitrary.ts';
import { envelopeOf, payloadOf } from '../payload.ts';

const throughText = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe.each([1, 2, 3, 4] as const)('payload of version %i', (version) => {
  test('round trips through JSON', () => {
    fc.assert(
      fc.property(envelopeOf(version), (envelope) => {
        expect(payloadFromJson(throughText(payloadToJson(envelope.executionPayload)))).toEqual(
          envelope.executionPayload,
        );
        expect(envelopeFromJson(throughText(envelopeToJson(envelope)))).toEqual(envelope);
      }),
      { numRuns: 30 },
    );
  });
});

describe('payload JSON', () => {
  const [sample] = fc.sample(payloadOf(4), { numRuns: 1, seed: 2 });
  const json = payloadToJson(sample!);

  test.each<[string, unknown, string]>([
    ['no object', null, 'executionPayload'],
    ['a missing field', { ...json, stateRoot: undefined }, 'executionPayload.stateRoot'],
    ['a null field', { ...json, stateRoot: null }, 'executionPayload.stateRoot'],
    ['a hash of another size', { ...json, parentHash: '0x12' }, 'executionPayload.parentHash'],
    ['a number in place of a quantity', { ...json, gasUsed: 5 }, 'executionPayload.gasUsed'],
    ['a quantity that is no hex', { ...json, gasUsed: '0xg' }, 'executionPayload.gasUsed'],
    ['a transaction of odd length', { ...json, transactions: ['0x123'] }, 'executionPayload.transactions[0]'],
    ['a second transaction that is no text', { ...json, transactions: ['0x', 1] }, 'executionPayload.transactions[1]'],
  ])('names the field on %s', (_, value, field) => {
    expect(() => payloadFromJson(value)).toThrow(expect.objectContaining({ code: 'json-malformed', data: { field } }));
  });

  test('has only the fields of its version', () => {
    const [first] = fc.sample(payloadOf(1), { numRuns: 1, seed: 2 });
    const later = ['withdrawals', 'blobGasUsed', 'excessBlobGas', 'withdrawalsRoot'];
    expect(Object.keys(json)).toEqual(expect.arrayContaining(later));
    expect(Object.keys(payloadToJson(first!))).toEqual(Object.keys(json).filter((key) => !later.includes(key)));
    expect(Object.keys(payloadFromJson(payloadToJson(first!)))).not.toEqual(expect.arrayContaining(['withdrawals']));
  });

  test('of an envelope names its fields', () => {
    expect(() => envelopeFromJson(null)).toThrow(expect.objectContaining({ data: { field: 'envelope' } }));
    expect(() => envelopeFromJson({ executionPayload: json, parentBeaconBlockRoot: '0x12' })).toThrow(
      expect.objectContaining({ data: { field: 'envelope.parentBeaconBlockRoot' } }),
    );
    expect(Object.keys(envelopeToJson({ executionPayload: sample! }))).toEqual(['executionPayload']);
    expect(Object.keys(envelopeFromJson({ executionPayload: json }))).toEqual(['executionPayload']);
  });

  test('refuses withdrawals', () => {
    expect(() => payloadFromJson({ ...json, withdrawals: [{}] })).toThrow(
      expect.objectContaining({ code: 'payload-invalid', message: expect.stringContaining('executionPayload') }),
    );
  });
});

describe('payload attributes', () => {
  const attributes = fc.record(
    {
      timestamp: uint64,
      prevRandao: hash,
      suggestedFeeRecipient: address,
      withdrawals: fc.constant([] as const),
      parentBeaconBlockRoot: hash,
      transactions: fc.array(data(40), { maxLength: 3 }),
      noTxPool: fc.boolean(),
      gasLimit: uint64,
      eip1559Params: hexOfSize(8),
      minBaseFee: fc.maxSafeNat(),
    },
    { requiredKeys: ['timestamp', 'prevRandao', 'suggestedFeeRecipient', 'transactions', 'noTxPool', 'gasLimit'] },
  );

  test('round trip through JSON', () => {
    fc.assert(
      fc.property(attributes, (value) => {
        expect(attributesFromJson(throughText(attributesToJson(value)))).toEqual(value);
      }),
    );
  });

  test('write the minimum base fee as a JSON number, as op-node does, and read it as a quantity too', () => {
    const least = { timestamp: 1n, prevRandao: `0x${'00'.repeat(32)}`, suggestedFeeRecipient: `0x${'00'.repeat(20)}` };
    const whole = { ...least, transactions: [], noTxPool: true, gasLimit: 2n, minBaseFee: 17 } as const;
    const json = attributesToJson(whole as unknown as PayloadAttributes);
    expect(json['minBaseFee']).toBe(17);
    expect(attributesFromJson({ ...json, minBaseFee: '0x11' })).toEqual(whole);
    for (const wrong of [-1, 1.5, 2 ** 60, '17', true])
      expect(() => attributesFromJson({ ...json, minBaseFee: wrong })).toThrow(/payloadAttributes.minBaseFee/);
  });

  test('need a gas limit; transactions and noTxPool have defaults', () => {
    const least = {
      timestamp: '0x1',
      prevRandao: `0x${'00'.repeat(32)}`,
      suggestedFeeRecipient: `0x${'00'.repeat(20)}`,
      gasLimit: '0x2',
    };
    expect(attributesFromJson(least)).toMatchObject({ transactions: [], noTxPool: false, gasLimit: 2n });
    expect(() => attributesFromJson({ ...least, gasLimit: undefined })).toThrow(/payloadAttributes.gasLimit/);
    const written = attributesToJson(attributesFromJson(least));
    expect(Object.keys(written)).toEqual([
      'timestamp',
      'prevRandao',
      'suggestedFeeRecipient',
      'transactions',
      'noTxPool',
      'gasLimit',
    ]);
    for (const [wrong, field] of [
      [{ transactions: ['0x', '0x1'] }, 'transactions[1]'],
      [{ withdrawals: [{}] }, ''],
      [{ prevRandao: '0x' }, 'prevRandao'],
      [{ noTxPool: 1 }, 'noTxPool'],
    ] as const)
      expect(() => attributesFromJson({ ...least, ...wrong })).toThrow(
        `payloadAttributes${field === '' ? '' : '.'}${field}`,
      );
  });
});
