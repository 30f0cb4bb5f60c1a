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
