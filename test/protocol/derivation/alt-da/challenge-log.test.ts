import { describe, expect, it } from 'vitest';
import {
  CHALLENGE_STATUS_TOPIC,
  challengeEventOf,
  resolvedData,
} from '../../../../src/protocol/derivation/alt-da/challenge-log.ts';
import type { Hex, Log } from '../../../../src/protocol/types.ts';

const KECCAK = `00${'ab'.repeat(32)}`;
const word = (value: number | bigint) => value.toString(16).padStart(64, '0');
/** `bytes` of ABI-encoded arguments: the length, and the data in whole words. */
const bytes = (hex: string, length = hex.length / 2) => word(length) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
const NUMBER: Hex = `0x${word(7)}`;

const logOf = (data: string, topics: readonly Hex[] = [CHALLENGE_STATUS_TOPIC, NUMBER]): Log => ({
  address: `0x${'da'.repeat(20)}`,
  topics,
  data: `0x${data}`,
  logIndex: 0,
});
const whole = (status: number, commitment = KECCAK) => word(64) + word(status) + bytes(commitment);

describe('a log of the challenge contract', () => {
  it('has the topic of op-alt-da', () => {
    expect(CHALLENGE_STATUS_TOPIC).toBe('0xc5d8c630ba2fdacb1db24c4599df78c7fb8cf97b5aecde34939597f6697bb1ad');
  });

  it.each([
    [1, 'active'],
    [2, 'resolved'],
  ])('of status %d says that a challenge is %s', (status, name) => {
    expect(challengeEventOf(logOf(whole(status)))).toEqual({
      status: name,
      blockNumber: 7,
      commitment: { kind: 'keccak', encoded: `0x${KECCAK}` },
    });
  });

  it('may have its commitment anywhere behind its status, and without padding', () => {
    const later = word(96) + word(1) + word(0) + bytes(KECCAK);
    const bare = word(64) + word(1) + word(33) + KECCAK;
    for (const data of [later, bare])
      expect(challengeEventOf(logOf(data))?.commitment).toEqual({ kind: 'keccak', encoded: `0x${KECCAK}` });
  });

  it.each<[string, Log]>([
    ['the status of none', logOf(whole(0))],
    ['the status of an expired challenge', logOf(whole(3))],
    ['a status above 2^53', logOf(word(64) + word(2n ** 200n) + bytes(KECCAK))],
    ['no block number', logOf(whole(1), [CHALLENGE_STATUS_TOPIC])],
    ['a third topic', logOf(whole(1), [CHALLENGE_STATUS_TOPIC, NUMBER, NUMBER])],
    ['a block number above 2^53', logOf(whole(1), [CHALLENGE_STATUS_TOPIC, `0x${word(2n ** 53n)}`])],
    ['data of a word', logOf(word(64))],
    ['a commitment of an unknown kind', logOf(whole(1, `02${'ab'.repeat(32)}`))],
    ['an empty commitment', logOf(whole(1, ''))],
    ['a commitment cut off', logOf(word(64) + word(1) + word(33) + KECCAK.slice(2))],
    ['an offset behind its end', logOf(word(65) + word(1) + word(0))],
    ['an offset above 2^53', logOf(word(2n ** 255n) + word(1) + bytes(KECCAK))],
    ['a length above 2^53', logOf(word(64) + word(1) + word(2n ** 255n) + KECCAK)],
  ])('with %s is none that derivation uses', (_, log) => {
    expect(challengeEventOf(log)).toBeNull();
  });
});

describe('a call that resolves a challenge', () => {
  const call = (data: string) => `0x01020304${word(7)}${word(96)}${word(160)}${bytes('')}${word(0)}${data}` as const;

  it('has the data of its third argument', () => {
    expect(resolvedData(call(bytes('010203')))).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('has the data at the offset of that argument, wherever it is', () => {
    expect(resolvedData(`0x01020304${word(3)}${word(96)}${word(0)}`)).toEqual(new Uint8Array(3));
  });

  it.each<[string, Hex]>([
    ['no arguments', '0x01020304'],
    ['nothing', '0x'],
    ['two arguments', `0x01020304${word(7)}${word(96)}`],
    ['no data behind its offset', `0x01020304${word(7)}${word(96)}${word(160)}`],
    ['data of no bytes', call(bytes(''))],
    ['data cut off', call(word(4) + '010203')],
  ])('with %s has none', (_, calldata) => {
    expect(resolvedData(calldata)).toBeNull();
  });
});
