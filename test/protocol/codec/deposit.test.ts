import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeDeposit, depositHash, encodeDeposit } from '../../../src/protocol/codec/deposit.ts';
import {
  aliasedAddress,
  depositOfLog,
  TRANSACTION_DEPOSITED_TOPIC,
  unaliasedAddress,
} from '../../../src/protocol/codec/deposit-log.ts';
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

  test.each<[string, Log]>([
    ['opaque data that is too short', log('00'.repeat(72))],
    ['another version', log(opaque(0, ''), { topics: [...log('').topics.slice(0, 3), `0x${word(1)}`] })],
    ['a missing topic', log(opaque(0, ''), { topics: log('').topics.slice(0, 3) })],
    ['data that is not whole words', log(opaque(0, ''), { data: '0x00' })],
    ['a length beyond the data', log('', { data: `0x${word(32)}${word(100)}${word(0)}` })],
    ['more padding than the last word', log('', { data: `0x${word(32)}${word(1)}${word(0)}${word(0)}` })],
    ['another offset', log('', { data: `0x${word(64)}${word(0)}` })],
  ])('stops derivation on %s', (_, malformed) => {
    expect(() => depositOfLog(malformed, blockHash)).toThrow(
      expect.objectContaining({ code: 'deposit-malformed', handling: 'fatal' }),
    );
  });

  test('has an aliased sender that wraps around the address space', () => {
    expect(aliasedAddress(`0x${'00'.repeat(20)}`)).toBe('0x1111000000000000000000000000000000001111');
    expect(aliasedAddress(`0x${'ff'.repeat(20)}`)).toBe('0x1111000000000000000000000000000000001110');
    fc.assert(fc.property(address, (value) => unaliasedAddress(aliasedAddress(value)) === value));
  });
});
