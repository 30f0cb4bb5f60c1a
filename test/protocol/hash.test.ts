import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterEach, expect, it } from 'vitest';
import { keccak256, keccak256Bytes, keccak256Text, sha256, useKeccak } from '../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/protocol/hex.ts';

const EMPTY = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const ABC = '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45';
const bytes = hexToBytes('0x616263');

afterEach(() => useKeccak(keccak_256));

it('keccak-256 is the same of bytes, hex and text', () => {
  expect([keccak256(new Uint8Array()), keccak256('0x'), keccak256(bytes), keccak256('0x616263')]).toEqual([
    EMPTY,
    EMPTY,
    ABC,
    ABC,
  ]);
  expect([keccak256Bytes(bytes), keccak256Text('abc')].map(bytesToHex)).toEqual([ABC, ABC]);
});

it('sha-256 is that of FIPS 180-2', () => {
  expect(bytesToHex(sha256(bytes))).toBe('0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('the implementation of keccak-256 is the one that was set last', () => {
  useKeccak(() => Uint8Array.of(7));
  expect([keccak256('0x'), keccak256(bytes)]).toEqual(['0x07', '0x07']);
  expect(keccak256Text('abc')).toEqual(Uint8Array.of(7));
});
