import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeDeposit, depositHash, encodeDeposit, isDeposit } from '../../../src/protocol/codec/deposit.ts';
import {
  aliasedAddress,
  depositOfLog,
  TRANSACTION_DEPOSITED_TOPIC,
  unaliasedAddress,
} from '../../../src/protocol/codec/deposit-log.ts';
import { type RlpItem, rlpEncode } from '../../../src/protocol/codec/rlp.ts';
import { userDepositSourceHash } from '../../../src/protocol/codec/source-hash.ts';
import { keccak256, keccak256Text } from '../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex, Log } from '../../../src/protocol/types.ts';
import { address, data, hash } from '../arbitrary.ts';

const deposit = fc.record({
  sourceHash: hash,
  from: address,
  to: fc.option(address),
  mint: fc.bigInt({ min: 0n, max: 2n ** 128n }),
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  gas: fc.maxSafeNat(),
  isSystemTransaction: fc.boolean(),
  data: data(200),
});

describe('deposit transaction', () => {
  test('round trips', () => {
    fc.assert(
      fc.property(deposit, (value) => {
        expect(decodeDeposit(encodeDeposit(value))).toEqual(value);
      }),
    );
  });

  test('has the hash of its encoding', () => {
    fc.assert(fc.property(deposit, (value) => depositHash(value) === keccak256(encodeDeposit(value))));
  });

  test.each([
    ['no bytes', '0x'],
    ['another type', '0x02c0'],
    ['too few fields', '0x7ec3808080'],
    ['not RLP', '0x7eff'],
  ])('rejects %s', (_, hex) => {
    expect(() => decodeDeposit(hexToBytes(hex))).toThrow(expect.objectContaining({ handling: 'drop' }));
  });
});

describe('a deposit transaction of the wrong shape', () => {
  const bytes = (size: number, value = 1) => new Uint8Array(size).fill(value);
  const fields: readonly RlpItem[] = [
    bytes(32),
    bytes(20),
    bytes(20),
    bytes(1),
    bytes(1),
    bytes(1),
    bytes(1),
    bytes(3),
  ];
  const encoded = (at: number, item: RlpItem) =>
    Uint8Array.of(0x7e, ...rlpEncode(fields.map((each, index) => (index === at ? item : each))));

  test('is one with a field changed: those of the table are right', () => {
    expect(decodeDeposit(encoded(-1, [])).isSystemTransaction).toBe(true);
    expect(decodeDeposit(encoded(2, bytes(0))).to).toBeNull();
    expect(decodeDeposit(encoded(6, bytes(0))).isSystemTransaction).toBe(false);
  });

  test.each<[string, number, Uint8Array]>([
    ['sourceHash', 0, bytes(31)],
    ['from', 1, bytes(19)],
    ['from', 1, bytes(0)],
    ['to', 2, bytes(19)],
    ['isSystemTx', 6, bytes(1, 2)],
  ])('is refused by its field %s', (field, at, item) => {
    expect(() => decodeDeposit(encoded(at, item))).toThrow(
      expect.objectContaining({ code: 'deposit-malformed', handling: 'drop', data: { field } }),
    );
  });

  test('is refused with a list in place of a field, by its name', () => {
    for (const [at, field] of ['sourceHash', 'from', 'to', 'mint', 'value', 'gas', 'isSystemTx', 'data'].entries())
      expect(() => decodeDeposit(encoded(at, []))).toThrow(`${field} must be a byte string`);
  });

  test('is refused by its type', () => {
    for (const hex of ['0x', '0x02c0'])
      expect(() => decodeDeposit(hexToBytes(hex))).toThrow(
        expect.objectContaining({ code: 'deposit-malformed', data: { field: 'type' } }),
      );
    expect(() => decodeDeposit(Uint8Array.of(0x7e, 0x80))).toThrow('deposit must be a list');
  });

  test('is told from others by its first byte', () => {
    expect(['0x7e01', '0x7E', '0x02', '0x', '0x007e'].map((hex) => isDeposit(hex as Hex))).toEqual([
      ...[true, true, false, false, false],
    ]);
  });
});

describe('TransactionDeposited log', () => {
  const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
  const opaque = (creation: number, calldata: string) =>
    `${word(5)}${word(7)}${(100_000).toString(16).padStart(16, '0')}0${creation}${calldata}`;
  const blockHash: Hex = `0x${'ab'.repeat(32)}`;
  const log = (content: string, change: Partial<Log> = {}): Log => ({
    address: `0x${'11'.repeat(20)}`,
    topics: [
      TRANSACTION_DEPOSITED_TOPIC,
      `0x${'00'.repeat(12)}${'Aa'.repeat(20)}`,
      `0x${'00'.repeat(12)}${'bb'.repeat(20)}`,
      `0x${word(0)}`,
    ],
    data: `0x${word(32)}${word(content.length / 2)}${content.padEnd(Math.ceil(content.length / 64) * 64, '0')}`,
    logIndex: 3,
    ...change,
  });

  test('has the topic of its event signature', () => {
    expect(bytesToHex(keccak256Text('TransactionDeposited(address,address,uint256,bytes)'))).toBe(
      TRANSACTION_DEPOSITED_TOPIC,
    );
  });

  test('becomes a user deposit', () => {
    expect(depositOfLog(log(opaque(0, 'c0ffee')), blockHash)).toEqual({
      sourceHash: userDepositSourceHash(blockHash, 3),
      from: `0x${'aa'.repeat(20)}`,
      to: `0x${'bb'.repeat(20)}`,
      mint: 5n,
      value: 7n,
      gas: 100_000,
      isSystemTransaction: false,
      data: '0xc0ffee',
    });
  });

  test('creates a contract when its flag is set', () => {
    expect(depositOfLog(log(opaque(1, '')), blockHash)).toMatchObject({ to: null, data: '0x' });
  });

  const { topics } = log('');
  const whole = log(opaque(0, '')).data.slice(2);
  test.each<[string, string, Partial<Log>]>([
    ['opaque data that is too short', 'opaqueData', { data: log('00'.repeat(72)).data }],
    ['no opaque data', 'opaqueData', { data: `0x${word(32)}${word(0)}` }],
    ['another version', 'version', { topics: [...topics.slice(0, 3), `0x${word(1)}`] }],
    ['another event', 'topics', { topics: [blockHash, ...topics.slice(1)] }],
    ['no topic', 'topics', { topics: [] }],
    ['the event alone', 'topics', { topics: topics.slice(0, 1) }],
    ['a missing recipient', 'topics', { topics: topics.slice(0, 2) }],
    ['a missing version', 'topics', { topics: topics.slice(0, 3) }],
    ['one topic more', 'topics', { topics: [...topics, blockHash] }],
    ['data of one byte', 'data', { data: '0x00' }],
    ['data of one word', 'data', { data: `0x${word(32)}` }],
    ['data that is not whole words', 'data', { data: `0x${whole.slice(0, -2)}` }],
    ['a length beyond the data', 'data', { data: `0x${word(32)}${word(100)}${word(0)}` }],
    ['a length one beyond the data', 'data', { data: `0x${word(32)}${word(97)}${word(0)}${word(0)}${word(0)}` }],
    ['a word of padding alone', 'data', { data: `0x${whole}${word(0)}` }],
    ['another offset', 'data', { data: `0x${word(64)}${whole.slice(64)}` }],
  ])('stops derivation on %s', (_, field, change) => {
    expect(() => depositOfLog(log(opaque(0, ''), change), blockHash)).toThrow(
      expect.objectContaining({ code: 'deposit-malformed', handling: 'fatal', data: { field } }),
    );
  });

  test('holds opaque data up to its last word without padding', () => {
    const content = opaque(0, 'ee'.repeat(96 - 73));
    expect(content).toHaveLength(192);
    expect(depositOfLog(log(content), blockHash).data).toBe(`0x${'ee'.repeat(23)}`);
  });

  test('has an aliased sender that wraps around the address space', () => {
    expect(aliasedAddress(`0x${'00'.repeat(20)}`)).toBe('0x1111000000000000000000000000000000001111');
    expect(aliasedAddress(`0x${'ff'.repeat(20)}`)).toBe('0x1111000000000000000000000000000000001110');
    fc.assert(fc.property(address, (value) => unaliasedAddress(aliasedAddress(value)) === value));
  });
});
