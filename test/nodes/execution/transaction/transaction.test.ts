import { keccak256, parseTransaction, type TransactionSerializable } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import {
  decodeTransaction,
  effectiveGasPrice,
  isDelegation,
  isDeposit,
  noteRecovered,
} from '../../../../src/nodes/execution/transaction/transaction.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { rlpEncode, rlpUint } from '../../../../src/protocol/codec/rlp.ts';
import {
  decodeTransaction as decodeFields,
  encodeTransaction,
  type SignedTransaction,
} from '../../../../src/protocol/codec/transaction.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { transfer } from '../support/pool.ts';

const account = ACCOUNTS[0]!;
const TO: Hex = '0x00000000000000000000000000000000000c0de1';
const KEY: Hex = `0x${'07'.repeat(32)}`;
const BLOB: Hex = `0x01${'08'.repeat(31)}`;
const COMMON = { chainId: 901, nonce: 5, gas: 90_000n, to: TO, value: 12n, data: '0x00ff' } as const;
const FEES = { maxFeePerGas: 30n, maxPriorityFeePerGas: 4n } as const;
const ACCESS = { accessList: [{ address: TO, storageKeys: [KEY] }] } as const;
const authorizationList = [await account.signAuthorization({ chainId: 901, contractAddress: TO, nonce: 6 })];
const SHAPES: Readonly<Record<string, TransactionSerializable>> = {
  legacy: { type: 'legacy', ...COMMON, gasPrice: 20n },
  eip2930: { type: 'eip2930', ...COMMON, ...ACCESS, gasPrice: 20n },
  eip1559: { type: 'eip1559', ...COMMON, ...ACCESS, ...FEES },
  eip4844: { type: 'eip4844', ...COMMON, ...ACCESS, ...FEES, maxFeePerBlobGas: 3n, blobVersionedHashes: [BLOB] },
  eip7702: { type: 'eip7702', ...COMMON, ...ACCESS, ...FEES, authorizationList },
};
const INVALID_SIGNATURE = 'invalid transaction v, r, s values';
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

beforeAll(prepareCrypto);

const signed = (shape: TransactionSerializable) => account.signTransaction(shape as never);
const hexOf = (bytes: Uint8Array | null) => (bytes === null ? undefined : bytesToHex(bytes));

/** Returns the encoding of a signed shape with other fields. The signature stays, unless it is among them. */
async function withFields(shape: string, fields: SignedTransaction['fields']): Promise<Uint8Array> {
  const { type, fields: before } = decodeFields(hexToBytes(await signed(SHAPES[shape]!)));
  return encodeTransaction({ type, fields: { ...before, ...fields } });
}

describe('a decoded transaction', () => {
  test.each(Object.entries(SHAPES))('of type %s has the fields that viem reads', async (name, shape) => {
    const raw = await signed(shape);
    const decoded = decodeTransaction(hexToBytes(raw));
    const fields = parseTransaction(raw as `0x02${string}`) as Record<string, unknown>;
    expect({
      type: decoded.type,
      hash: decoded.hash,
      raw: bytesToHex(decoded.raw),
      sender: bytesToHex(decoded.sender),
      chainId: Number(decoded.chainId),
      nonce: Number(decoded.nonce),
      gas: decoded.gasLimit,
      maxFeePerGas: decoded.maxFeePerGas,
      maxPriorityFeePerGas: decoded.maxPriorityFeePerGas,
      to: hexOf(decoded.to),
      value: decoded.value,
      data: bytesToHex(decoded.data),
    }).toEqual({
      type: Object.keys(SHAPES).indexOf(name),
      hash: keccak256(raw),
      raw,
      sender: account.address.toLowerCase(),
      chainId: 901,
      nonce: 5,
      gas: 90_000n,
      maxFeePerGas: fields['maxFeePerGas'] ?? fields['gasPrice'],
      maxPriorityFeePerGas: fields['maxPriorityFeePerGas'] ?? fields['gasPrice'],
      to: TO,
      value: 12n,
      data: '0x00ff',
    });
    expect(
      decoded.accessList.map(({ address, storageKeys }) => ({
        address: bytesToHex(address),
        storageKeys: storageKeys.map(bytesToHex),
      })),
    ).toEqual(fields['accessList'] ?? []);
  });

  test('has the fields of blobs when it is of type 3, and no others have them', async () => {
    const blob = decodeTransaction(hexToBytes(await signed(SHAPES['eip4844']!)));
    expect([blob.maxFeePerBlobGas, blob.blobVersionedHashes?.map(bytesToHex)]).toEqual([3n, [BLOB]]);
    const other = decodeTransaction(hexToBytes(await signed(SHAPES['eip1559']!)));
    expect(Object.keys(other)).not.toContain('maxFeePerBlobGas');
    expect(Object.keys(other)).not.toContain('blobVersionedHashes');
  });

  test('has the authorizations that viem signed', async () => {
    const { authorizationList: list } = decodeTransaction(hexToBytes(await signed(SHAPES['eip7702']!)));
    const { chainId, nonce, yParity, r, s } = authorizationList[0]!;
    expect(list).toEqual([
      {
        chainId: BigInt(chainId),
        address: hexToBytes(TO),
        nonce: BigInt(nonce),
        yParity: BigInt(yParity!),
        r: BigInt(r),
        s: BigInt(s),
      },
    ]);
  });

  test('creates a contract when it names no account', async () => {
    for (const name of ['legacy', 'eip2930', 'eip1559'])
      expect(decodeTransaction(await withFields(name, { to: new Uint8Array(0) })).to).toBeNull();
  });

  test.each([
    ['eip7702', 'set code transaction must not be a create transaction'],
    ['eip4844', 'blob transaction must not be a create transaction'],
  ])('of type %s is refused when it names no account', async (name, message) => {
    const raw = await withFields(name, { to: new Uint8Array(0) });
    expect(() => decodeTransaction(raw)).toThrow(message);
  });

  test.each(['0x', '0x05c0', '0x7ec0', '0x80'] as const)('of no signed type is refused: %s', (raw) => {
    expect(() => decodeTransaction(hexToBytes(raw))).toThrow('transaction type not supported');
  });

  test.each<[string, SignedTransaction['fields']]>([
    ['nonce', { nonce: rlpUint(2n ** 64n) }],
    ['gas', { gas: rlpUint(2n ** 64n) }],
    ['v', { v: rlpUint(2n ** 64n) }],
  ])('is refused when its %s has more than 64 bits', async (field, fields) => {
    const raw = await withFields('legacy', fields);
    expect(() => decodeTransaction(raw)).toThrow(field);
  });

  test.each(['nonce', 'gas', 'value'] as const)('is refused again when its %s is too long', async (name) => {
    const raw = await withFields('eip1559', { [name]: rlpUint(2n ** (name === 'value' ? 256n : 64n)) });
    for (const _ of [1, 2]) expect(() => decodeTransaction(raw)).toThrow(name);
  });

  test.each(Object.entries(SHAPES))('of type %s has the same fields when it is decoded again', async (_, shape) => {
    for (const change of [{}, { to: undefined, accessList: [] }]) {
      const isCall = shape.type === 'eip4844' || shape.type === 'eip7702';
      const raw = hexToBytes(await signed({ ...shape, ...(isCall ? {} : change) } as TransactionSerializable));
      expect(decodeTransaction(raw)).toEqual(decodeTransaction(raw));
    }
  });

  test('has a nonce and gas of up to 64 bits', async () => {
    const most = 2n ** 64n - 1n;
    const raw = await withFields('eip1559', { nonce: rlpUint(most), gas: rlpUint(most) });
    expect(decodeTransaction(raw)).toMatchObject({ nonce: most, gasLimit: most });
  });

  test.each<[string, number, bigint, string]>([
    ['nonce', 2, 2n ** 64n, 'nonce'],
    ['yParity', 3, 256n, 'yParity'],
  ])('is refused when the %s of an authorization is too long', async (_, at, value, field) => {
    const { fields } = decodeFields(hexToBytes(await signed(SHAPES['eip7702']!)));
    const entry = [...((fields.authorizationList as Uint8Array[][])[0] ?? [])].with(at, rlpUint(value));
    const raw = await withFields('eip7702', { authorizationList: [entry] });
    expect(() => decodeTransaction(raw)).toThrow(field);
  });
});

describe('the signature of a transaction', () => {
  test.each<[string, SignedTransaction['fields']]>([
    ['r is 0', { r: rlpUint(0) }],
    ['r is the order of the curve', { r: rlpUint(ORDER) }],
    ['s is 0', { s: rlpUint(0) }],
    ['s is in the upper half', { s: rlpUint(ORDER / 2n + 1n) }],
    ['the y parity is 2', { v: rlpUint(2) }],
  ])('is refused when %s', async (_, fields) => {
    const raw = await withFields('eip1559', fields);
    expect(() => decodeTransaction(raw)).toThrow(INVALID_SIGNATURE);
  });

  test('may have the largest s of the lower half', async () => {
    const raw = await withFields('eip1559', { s: rlpUint(ORDER / 2n) });
    expect(decodeTransaction(raw).hash).toBe(keccak256(raw));
  });

  test('is refused when the y parity has two bytes', async () => {
    const raw = await withFields('eip1559', { v: rlpUint(256) });
    expect(() => decodeTransaction(raw)).toThrow('v');
    expect(() => decodeTransaction(raw)).not.toThrow(INVALID_SIGNATURE);
  });

  // EIP-155: 27 and 28 name no chain, 35 and up do. The parity is that of v minus 27 or 35.
  test.each<[bigint, bigint | undefined | 'invalid']>([
    [0n, 'invalid'],
    [26n, 'invalid'],
    [27n, undefined],
    [28n, undefined],
    [29n, 'invalid'],
    [34n, 'invalid'],
    [35n, 0n],
    [36n, 0n],
    [37n, 1n],
    [2n ** 64n - 1n, 2n ** 63n - 18n],
  ])('of a legacy transaction with v %s names the chain %s', async (v, chain) => {
    const raw = await withFields('legacy', { v: rlpUint(v) });
    if (chain === 'invalid') expect(() => decodeTransaction(raw)).toThrow(INVALID_SIGNATURE);
    else expect(decodeTransaction(raw)).toMatchObject({ chainId: chain });
  });

  test('of a legacy transaction without a chain is its sender’s', async () => {
    const { chainId, ...shape } = COMMON;
    for (let nonce = chainId; nonce < chainId + 6; nonce++) {
      const raw = hexToBytes(await signed({ type: 'legacy', ...shape, nonce, gasPrice: 20n }));
      const { sender, chainId: chain } = decodeTransaction(raw);
      expect([bytesToHex(sender), chain]).toEqual([account.address.toLowerCase(), undefined]);
    }
  });
});

describe('the hash and sender of encoded bytes', () => {
  const raw = () => signed(SHAPES['eip1559']!).then(hexToBytes);
  test('are recovered once', async () => {
    const encoded = await raw();
    expect(decodeTransaction(encoded).sender).toBe(decodeTransaction(encoded).sender);
  });

  test('are those that a store notes beside them', async () => {
    const encoded = await raw();
    const recovered = { hash: KEY, sender: new Uint8Array(20).fill(9) };
    noteRecovered(encoded, recovered);
    expect(decodeTransaction(encoded)).toMatchObject(recovered);
    expect(bytesToHex(decodeTransaction(encoded.slice()).sender)).toBe(account.address.toLowerCase());
  });
});

test.each<[Hex, boolean]>([
  ['0x7ec0', true],
  ['0x7f', false],
  ['0x02c0', false],
  ['0x', false],
])('the bytes %s are a deposit: %s', (raw, expected) => {
  expect(isDeposit(hexToBytes(raw))).toBe(expected);
});

test.each<[string, Hex, boolean]>([
  ['a delegation', `0xef0100${'11'.repeat(20)}`, true],
  ['a delegation to 19 bytes', `0xef0100${'11'.repeat(19)}`, false],
  ['a delegation to 21 bytes', `0xef0100${'11'.repeat(21)}`, false],
  ['another first byte', `0xee0100${'11'.repeat(20)}`, false],
  ['another magic', `0xef0000${'11'.repeat(20)}`, false],
  ['another version', `0xef0101${'11'.repeat(20)}`, false],
  ['no code', '0x', false],
])('%s is the code of a delegated account: %s', (_, code, expected) => {
  expect(isDelegation(hexToBytes(code))).toBe(expected);
});

test.each([
  [6n, 9n],
  [7n, 10n],
  [8n, 10n],
])('the price at a base fee of 3 and a fee cap of 10 follows the tip %s', (maxPriorityFeePerGas, price) => {
  expect(effectiveGasPrice(transfer(1, 0, { maxFeePerGas: 10n, maxPriorityFeePerGas }), 3n)).toBe(price);
});

test('a list of too few fields is no transaction', () => {
  expect(() => decodeTransaction(concat(Uint8Array.of(2), rlpEncode([])))).toThrow('transaction of type 2');
});
