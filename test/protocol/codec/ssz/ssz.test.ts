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

const u32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);

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
  test('leaves the bytes as they are when it is decoded from a Buffer', () => {
    const [payload] = fc.sample(payloadOf(version), { numRuns: 1, seed: 1 });
    const encoded = encodePayload(payload!, version);
    const buffer = Buffer.from(encoded);
    expect(decodePayload(buffer, version)).toEqual(payload);
    expect(Uint8Array.from(buffer)).toEqual(encoded);
  });

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

test.each([
  [2, 'withdrawals'],
  [3, 'blobGasUsed'],
  [3, 'excessBlobGas'],
  [4, 'withdrawalsRoot'],
] as const)('an SSZ payload of version %i needs %s', (version, field) => {
  const [whole] = fc.sample(payloadOf(version), 1);
  const { [field]: _, ...part } = whole!;
  expect(() => encodePayload(part as ExecutionPayload, version)).toThrow(
    expect.objectContaining({
      code: 'payload-invalid',
      handling: 'drop',
      message: `payload of version ${version} lacks ${field}`,
      data: { field },
    }),
  );
});

describe.each([1, 2, 3, 4] as const)('an SSZ payload of version %i at its edges', (version) => {
  const [sample] = fc.sample(payloadOf(version), { numRuns: 1, seed: 1 });
  const bare: ExecutionPayload = { ...sample!, extraData: '0x', transactions: [] };

  test('is its fixed part without extra data and transactions', () => {
    const encoded = encodePayload(bare, version);
    expect(encoded.length).toBe({ 1: 508, 2: 512, 3: 528, 4: 560 }[version]);
    expect(decodePayload(encoded, version)).toEqual(bare);
    expect(() => decodePayload(encoded.subarray(1), version)).toThrow(/expected at least/);
  });

  test.each([
    { extraData: '0x', transactions: ['0x'] },
    { extraData: '0x', transactions: ['0x', '0x'] },
    { extraData: '0x', transactions: ['0xaa', '0x', '0xbb'] },
    { extraData: `0x${'ab'.repeat(32)}`, transactions: [] },
  ] as const)('round trips with %j', (parts) => {
    const payload = { ...bare, ...parts };
    const encoded = encodePayload(payload, version);
    expect(encoded).toEqual(reference[version].serialize(plain(payload) as never));
    expect(decodePayload(encoded, version)).toEqual(payload);
  });

  test('is not changed when it is decoded', () => {
    const encoded = encodePayload(bare, version);
    const before = encoded.slice();
    decodePayload(encoded, version);
    expect(encoded).toEqual(before);
  });

  test('has offsets of four bytes', () => {
    const payload = { ...bare, transactions: [`0x${'01'.repeat(0x1020304)}`, '0x02'] as const };
    const encoded = encodePayload(payload, version);
    const at = encoded.length - 0x1020304 - 1;
    expect([...encoded.subarray(at - 8, at)]).toEqual([8, 0, 0, 0, 0x0c, 3, 2, 1]);
    if (version >= 2) expect([...encoded.subarray(508, 512)]).toEqual([...u32(encoded.length)]);
    expect(decodePayload(encoded, version).transactions[1]).toBe('0x02');
  });
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
