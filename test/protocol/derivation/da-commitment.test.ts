import { describe, expect, it } from 'vitest';
import {
  commitmentOfTransaction,
  commitmentTransaction,
  decodeCommitment,
  isCommitment,
  isCommittedTo,
  keccakCommitment,
} from '../../../src/protocol/derivation/da-commitment.ts';
import { keccak256 } from '../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';

const HASH: Hex = `0x${'ab'.repeat(32)}`;
const bytes = (hex: string) => hexToBytes(`0x${hex}`);

describe('a commitment in batcher transaction data', () => {
  it.each<[string, 'keccak' | 'generic']>([
    [`00${HASH.slice(2)}`, 'keccak'],
    ['0107', 'generic'],
    [`01${HASH.slice(2)}00`, 'generic'],
  ])('%s behind the version byte is of the kind %s', (text, kind) => {
    const commitment = { kind, encoded: `0x${text}` as Hex };
    expect(decodeCommitment(bytes(text))).toEqual(commitment);
    expect(commitmentOfTransaction(bytes(`01${text}`))).toEqual(commitment);
    expect(bytesToHex(commitmentTransaction(commitment))).toBe(`0x01${text}`);
  });

  it.each([
    ['', 'expected version 1, found no byte'],
    [`00${HASH.slice(2)}`, 'expected version 1, found 0'],
    ['0207', 'expected version 1, found 2'],
    ['01', 'unknown kind (no byte)'],
    ['010207', 'unknown kind 2'],
    ['01ff07', 'unknown kind 255'],
    ['0101', 'a generic commitment of 0 bytes'],
    ['0100', 'a keccak commitment of 0 bytes'],
    [`0100${HASH.slice(4)}`, 'a keccak commitment of 31 bytes'],
    [`0100${HASH.slice(2)}00`, 'a keccak commitment of 33 bytes'],
  ])('"%s" is dropped: %s', (text, problem) => {
    let error: unknown;
    try {
      commitmentOfTransaction(bytes(text));
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({
      code: 'commitment-malformed',
      handling: 'drop',
      data: { problem },
      message: expect.stringContaining(problem),
    });
  });

  it('is told from frames by its version byte', () => {
    expect([bytes('01'), bytes('0100'), bytes('00'), bytes('02'), bytes('')].map(isCommitment)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the data of a commitment', () => {
  const data = bytes('0001');

  it('has its keccak-256 as commitment of the kind keccak', () => {
    expect(keccakCommitment(data)).toEqual({ kind: 'keccak', encoded: `0x00${keccak256(data).slice(2)}` });
  });

  it('is checked by the kind keccak, and only by the DA server for the kind generic', () => {
    expect(isCommittedTo(keccakCommitment(data), data)).toBe(true);
    expect(isCommittedTo(keccakCommitment(data), bytes('0002'))).toBe(false);
    expect(isCommittedTo({ kind: 'generic', encoded: '0x0107' }, data)).toBe(true);
  });
});
