import { ByteListType, ByteVectorType, ContainerType, ListCompositeType, UintBigintType } from '@chainsafe/ssz';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePayload } from '../../../../src/protocol/codec/ssz/decode.ts';
import { encodePayload } from '../../../../src/protocol/codec/ssz/encode.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { ExecutionPayload } from '../../../../src/protocol/types.ts';
import { payloadOf } from '../../payload.ts';

const u64 = new UintBigintType(8);
const bytes = (size: number) => new ByteVectorType(size);
const withdrawal = new ContainerType({ index: u64, validatorIndex: u64, address: bytes(20), amount: u64 });
const fields = {
  parentHash: bytes(32),
  feeRecipient: bytes(20),
  stateRoot: bytes(32),
  receiptsRoot: bytes(32),
  logsBloom: bytes(256),
  prevRandao: bytes(32),
  blockNumber: u64,
  gasLimit: u64,
  gasUsed: u64,
  timestamp: u64,
  extraData: new ByteListType(32),
  baseFeePerGas: new UintBigintType(32),
  blockHash: bytes(32),
  transactions: new ListCompositeType(new ByteListType(2 ** 30), 2 ** 20),
};
const v2 = { ...fields, withdrawals: new ListCompositeType(withdrawal, 16) };
const v3 = { ...v2, blobGasUsed: u64, excessBlobGas: u64 };
const reference = {
  1: new ContainerType(fields),
  2: new ContainerType(v2),
  3: new ContainerType(v3),
  4: new ContainerType({ ...v3, withdrawalsRoot: bytes(32) }),
};

/** The payload as the reference library takes it: bytes for hex. */
const plain = (payload: ExecutionPayload): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? hexToBytes(value)
        : name === 'transactions'
          ? (value as string[]).map(hexToBytes)
          : typeof value === 'number'
            ? BigInt(value)
            : value,
    ]),
  );

describe.each([1, 2, 3, 4] as const)('SSZ payload of version %i', (version) => {
  test('is that of an SSZ library, and round trips', () => {
    fc.assert(
      fc.property(payloadOf(version), (payload) => {
        const encoded = encodePayload(payload, version);
        expect(encoded).toEqual(reference[version].serialize(plain(payload) as never));
        expect(decodePayload(encoded, version)).toEqual(payload);
      }),
      { numRuns: 40 },
    );
  });

  test('never crashes on any bytes', () => {
    const [sample] = fc.sample(payloadOf(version), { numRuns: 1, seed: 1 });
    const encoded = encodePayload(sample!, version);
    fc.assert(
      fc.property(fc.nat(encoded.length - 1), fc.nat(255), fc.nat(encoded.length), (at, value, length) => {
        const broken = encoded.slice(0, length);
        if (at < length) broken[at] = value;
        try {
          decodePayload(broken, version);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ProtocolError', handling: 'drop' });
        }
      }),
    );
  });
});

test('an SSZ payload needs the fields of its version', () => {
  const [bedrock] = fc.sample(payloadOf(1), 1);
  expect(() => encodePayload(bedrock!, 2)).toThrow(/lacks withdrawals/);
});

describe('an SSZ payload of the wrong shape', () => {
  const [base] = fc.sample(payloadOf(2), { numRuns: 1, seed: 1 });
  const whole = encodePayload({ ...base!, extraData: '0xaabb', transactions: ['0x01', '0x0203'] }, 2);
  /** Places of offsets in the fixed part: of extra data, of transactions, of withdrawals. */
  const [EXTRA_DATA, TRANSACTIONS, WITHDRAWALS] = [436, 504, 508] as const;
  const at = (place: number) => new DataView(whole.buffer, whole.byteOffset).getUint32(place, true);
  const changed = (changes: Readonly<Record<number, number>>, more: readonly number[] = []) => {
    const bytes = Uint8Array.of(...whole, ...more);
    for (const [place, value] of Object.entries(changes))
      new DataView(bytes.buffer).setUint32(Number(place), value, true);
    return bytes;
  };
  const list = at(TRANSACTIONS);

  test('is one with an offset changed: the places of the table are right', () => {
    expect([at(EXTRA_DATA), at(TRANSACTIONS), at(WITHDRAWALS)]).toEqual([512, 514, whole.length]);
    expect([at(list), at(list + 4)]).toEqual([8, 9]);
    expect(decodePayload(changed({}), 2).transactions).toEqual(['0x01', '0x0203']);
  });

  test.each<[string, Uint8Array]>([
    ['a fixed part that is cut off', whole.subarray(0, 511)],
    ['extra data that starts later', changed({ [EXTRA_DATA]: 513 })],
    ['transactions before extra data', changed({ [TRANSACTIONS]: 511 })],
    ['withdrawals before transactions', changed({ [WITHDRAWALS]: list - 1 })],
    ['withdrawals beyond the end', changed({ [WITHDRAWALS]: whole.length + 1 })],
    ['a first offset that is cut off', changed({ [WITHDRAWALS]: list + 3 })],
    ['a first offset of 0', changed({ [list]: 0 })],
    ['a first offset inside a word', changed({ [list]: 6 })],
    ['a first offset beyond the end', changed({ [list]: 400 })],
    ['offsets that go back', changed({ [list + 4]: 7 })],
    ['an offset beyond the end', changed({ [list + 4]: 400 })],
    ['withdrawals that are not whole', changed({}, [1])],
  ])('is malformed: %s', (_, bytes) => {
    expect(() => decodePayload(bytes, 2)).toThrow(
      expect.objectContaining({ code: 'ssz-malformed', handling: 'drop', data: { version: 2 } }),
    );
  });

  test('is malformed with extra data of 33 bytes, and not with 32', () => {
    const withExtra = (size: number) => {
      const bytes = Uint8Array.of(...whole.subarray(0, 512), ...new Uint8Array(size));
      const view = new DataView(bytes.buffer);
      view.setUint32(TRANSACTIONS, 512 + size, true);
      view.setUint32(WITHDRAWALS, 512 + size, true);
      return () => decodePayload(bytes, 2);
    };
    expect(withExtra(32)().extraData).toBe(`0x${'00'.repeat(32)}`);
    expect(withExtra(33)).toThrow(expect.objectContaining({ code: 'ssz-malformed' }));
  });

  test('is invalid with withdrawals', () => {
    expect(() =>
      decodePayload(
        changed(
          {},
          Array.from({ length: 44 }, () => 1),
        ),
        2,
      ),
    ).toThrow(expect.objectContaining({ code: 'payload-invalid', handling: 'drop', data: { field: 'withdrawals' } }));
  });
});
