import { keccak256, serializeTransaction, type TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { type RlpItem, rlpEncode } from '../../../src/protocol/codec/rlp.ts';
import {
  decodeTransaction,
  encodeTransaction,
  isSignedType,
  isTransactionType,
  signingPayload,
  type TransactionField,
  transactionType,
} from '../../../src/protocol/codec/transaction.ts';
import { bytesToHex, hexToBytes } from '../../../src/protocol/hex.ts';

const account = privateKeyToAccount(`0x${'46'.repeat(32)}`);
const to = `0x${'35'.repeat(20)}` as const;
const hash = `0x01${'77'.repeat(31)}` as const;
const accessList = [{ address: to, storageKeys: [hash, `0x${'00'.repeat(32)}` as const] }];
const common = { nonce: 9, gas: 21_000n, to, value: 10n ** 18n, data: '0xc0ffee' } as const;
const fees = { chainId: 901, maxFeePerGas: 9n, maxPriorityFeePerGas: 2n, accessList };
const authorizationList = [{ chainId: 901, address: to, nonce: 3, r: hash, s: hash, yParity: 1 }];

const TRANSACTIONS: Readonly<Record<string, readonly [number, TransactionSerializable]>> = {
  'without a chain id': [0, { ...common, type: 'legacy', gasPrice: 20n }],
  'with a chain id (EIP-155)': [0, { ...common, type: 'legacy', gasPrice: 20n, chainId: 901 }],
  'with an access list (EIP-2930)': [1, { ...common, type: 'eip2930', gasPrice: 20n, chainId: 901, accessList }],
  'with a dynamic fee (EIP-1559)': [2, { ...common, ...fees, type: 'eip1559' }],
  'that creates a contract': [2, { ...common, ...fees, type: 'eip1559', to: null }],
  'with blobs (EIP-4844)': [
    3,
    { ...common, ...fees, type: 'eip4844', maxFeePerBlobGas: 5n, blobVersionedHashes: [hash], sidecars: false },
  ],
  'with authorizations (EIP-7702)': [4, { ...common, ...fees, type: 'eip7702', authorizationList }],
};

describe.each(Object.entries(TRANSACTIONS))('a transaction %s', (_, [type, transaction]) => {
  test('has the fields and the signed hash of another implementation', async () => {
    const signed = await account.signTransaction(transaction);
    const decoded = decodeTransaction(hexToBytes(signed));
    expect([decoded.type, transactionType(hexToBytes(signed))]).toEqual([type, type]);
    expect(bytesToHex(encodeTransaction(decoded))).toBe(signed);
    expect(keccak256(signingPayload(decoded))).toBe(keccak256(serializeTransaction(transaction)));
    const { data, nonce, to: target } = decoded.fields;
    expect([data, nonce].map((item) => bytesToHex(item as Uint8Array))).toEqual(['0xc0ffee', '0x09']);
    expect((target as Uint8Array).length).toBe(transaction.to === null ? 0 : 20);
  });
});

const bytes = (size: number, value = 1) => new Uint8Array(size).fill(value);
const NUMBERS: readonly TransactionField[] = ['nonce', 'gasPrice', 'gas', 'value', 'v', 'r', 's', 'chainId'];
const ORDER: Readonly<Record<number, readonly TransactionField[]>> = {
  0: ['nonce', 'gasPrice', 'gas', 'to', 'value', 'data', 'v', 'r', 's'],
  1: ['chainId', 'nonce', 'gasPrice', 'gas', 'to', 'value', 'data', 'accessList', 'v', 'r', 's'],
  2: [
    ...(['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', 'to', 'value', 'data'] as const),
    ...(['accessList', 'v', 'r', 's'] as const),
  ],
  3: [
    ...(['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', 'to', 'value', 'data'] as const),
    ...(['accessList', 'maxFeePerBlobGas', 'blobVersionedHashes', 'v', 'r', 's'] as const),
  ],
  4: [
    ...(['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', 'to', 'value', 'data'] as const),
    ...(['accessList', 'authorizationList', 'v', 'r', 's'] as const),
  ],
};

/** Encodes a transaction of ones and empty lists, with some fields replaced. */
function encoded(type: number, change: Partial<Record<TransactionField, RlpItem>> = {}): Uint8Array {
  const lists: readonly TransactionField[] = ['accessList', 'blobVersionedHashes', 'authorizationList'];
  const items = (ORDER[type] ?? []).map((name): RlpItem => {
    const item = change[name];
    if (item !== undefined) return item;
    return lists.includes(name) ? [] : name === 'to' ? bytes(20) : bytes(1);
  });
  const body = rlpEncode(items);
  return type === 0 ? body : Uint8Array.of(type, ...body);
}

describe('a transaction of the wrong shape', () => {
  test('is one with a field changed: those of the table are right', () => {
    for (const type of [0, 1, 2, 3, 4]) {
      const decoded = decodeTransaction(encoded(type));
      expect([decoded.type, Object.keys(decoded.fields)]).toEqual([type, ORDER[type]]);
    }
    const entry: RlpItem = [bytes(20), [bytes(32), bytes(32)]];
    expect(decodeTransaction(encoded(1, { accessList: [entry, entry] })).fields.accessList).toHaveLength(2);
    expect(decodeTransaction(encoded(3, { blobVersionedHashes: [bytes(32)] })).type).toBe(3);
    const authorization: RlpItem = [bytes(1), bytes(20), bytes(8), bytes(1), bytes(32), bytes(32)];
    expect(decodeTransaction(encoded(4, { authorizationList: [authorization] })).type).toBe(4);
    expect(decodeTransaction(encoded(0, { to: bytes(0) })).type).toBe(0);
  });

  const authorization = (at: number, item: RlpItem): RlpItem =>
    [bytes(1), bytes(20), bytes(8), bytes(1), bytes(32), bytes(32)].map((each, index) => (index === at ? item : each));

  test.each<[string, number, Partial<Record<TransactionField, RlpItem>>]>([
    ...NUMBERS.filter((name) => name !== 'chainId').map(
      (name): [string, number, Partial<Record<TransactionField, RlpItem>>] => [
        `a zero before ${name}`,
        0,
        { [name]: bytes(2, 0) },
      ],
    ),
    ['a list as nonce', 0, { nonce: [] }],
    ['a list as data', 0, { data: [] }],
    ['a list as recipient', 0, { to: [] }],
    ['a recipient of 19 bytes', 0, { to: bytes(19) }],
    ['a recipient of 21 bytes', 0, { to: bytes(21) }],
    ['a recipient of one byte', 0, { to: bytes(1) }],
    ['bytes as access list', 1, { accessList: bytes(1) }],
    ['an entry that is no list', 1, { accessList: [bytes(20)] }],
    ['an entry of one item', 1, { accessList: [[bytes(20)]] }],
    ['an entry with an address of 19 bytes', 1, { accessList: [[bytes(19), []]] }],
    ['an entry with bytes as keys', 1, { accessList: [[bytes(20), bytes(32)]] }],
    ['an entry with a key of 31 bytes', 1, { accessList: [[bytes(20), [bytes(31)]]] }],
    ['bytes as blob hashes', 3, { blobVersionedHashes: bytes(32) }],
    ['a blob hash of 31 bytes', 3, { blobVersionedHashes: [bytes(31)] }],
    ['a list as blob hash', 3, { blobVersionedHashes: [[]] }],
    ['a list as blob fee', 3, { maxFeePerBlobGas: [] }],
    ['bytes as authorizations', 4, { authorizationList: bytes(1) }],
    ['an authorization of five items', 4, { authorizationList: [[bytes(1), bytes(20), bytes(1), bytes(1), bytes(1)]] }],
    ...[0, 2, 3, 4, 5].map((at): [string, number, Partial<Record<TransactionField, RlpItem>>] => [
      `an authorization whose item ${at} begins with a zero`,
      4,
      { authorizationList: [authorization(at, bytes(2, 0))] },
    ]),
    ['an authorization with an address of 19 bytes', 4, { authorizationList: [authorization(1, bytes(19))] }],
  ])('is refused: %s', (_, type, change) => {
    expect(() => decodeTransaction(encoded(type, change))).toThrow(
      expect.objectContaining({ code: 'rlp-malformed', handling: 'drop' }),
    );
  });

  test.each<[string, number, Partial<Record<TransactionField, RlpItem>>]>([
    ['nonce must be an integer', 0, { nonce: bytes(2, 0) }],
    ['data must be a byte string', 0, { data: [] }],
    ['to must be a byte string', 0, { to: [] }],
    ['transaction, to: expected 0 or 20 bytes, found 19', 0, { to: bytes(19) }],
    ['address must be a byte string', 1, { accessList: [[[], []]] }],
    ['transaction, accessList: expected addresses', 1, { accessList: [[bytes(19), []]] }],
    ['transaction, accessList: expected keys', 1, { accessList: [[bytes(20), [bytes(31)]]] }],
    ['transaction, blobVersionedHashes: expected', 3, { blobVersionedHashes: [bytes(31)] }],
    ['authorization must have 6 items', 4, { authorizationList: [[]] }],
    ['authorization must be an integer', 4, { authorizationList: [authorization(0, bytes(2, 0))] }],
    ['address must be a byte string', 4, { authorizationList: [authorization(1, [])] }],
    ['transaction, authorizationList: expected', 4, { authorizationList: [authorization(1, bytes(19))] }],
  ])('is refused by its field: %s', (message, type, change) => {
    expect(() => decodeTransaction(encoded(type, change))).toThrow(message);
  });

  test('without a chain id signs nothing behind its data', () => {
    const withV = (v: number) => signingPayload(decodeTransaction(encoded(0, { v: Uint8Array.of(v) })));
    expect(withV(28).length).toBe(withV(35).length - 3);
    expect(() => signingPayload({ type: 0, fields: {} })).toThrow('v must be a byte string');
  });

  test.each([
    ['a field less', Uint8Array.of(0xc1, 0x80)],
    ['bytes after it', Uint8Array.of(...encoded(0), 0)],
  ])('is refused: %s', (_, transaction) => {
    expect(() => decodeTransaction(transaction)).toThrow(expect.objectContaining({ code: 'rlp-malformed' }));
  });

  test.each([
    [undefined, new Uint8Array(0)],
    [5, Uint8Array.of(5, 0xc0)],
    [0x7e, Uint8Array.of(0x7e, 0xc0)],
    [0xbf, Uint8Array.of(0xbf)],
  ])('type %s is unknown', (type, transaction) => {
    expect(transactionType(transaction)).toBe(type);
    expect(() => decodeTransaction(transaction)).toThrow(
      expect.objectContaining({ code: 'batch-malformed', handling: 'drop', data: { field: 'type' } }),
    );
  });

  test('types: a batch holds those that are signed, without blobs', () => {
    const types = [0, 1, 2, 3, 4, 5, 0x7e];
    expect(types.filter(isTransactionType)).toEqual([0, 1, 2, 3, 4]);
    expect(types.filter(isSignedType)).toEqual([0, 1, 2, 4]);
    expect(transactionType(Uint8Array.of(0xc0))).toBe(0);
  });
});
