import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from './hex.ts';
import type { Hex } from './types.ts';

/** A hash function over bytes, as the EVM and the tries take it. */
export type ByteHash = (bytes: Uint8Array) => Uint8Array;

let keccak: ByteHash = keccak_256;

/**
 * Replaces the keccak-256 implementation by a faster one, such as a WebAssembly build. Composition roots call it first.
 */
export function useKeccak(implementation: ByteHash): void {
  keccak = implementation;
}

/** Computes keccak-256, 32 bytes (geth: `crypto.Keccak256`). */
export function keccak256Bytes(bytes: Uint8Array): Uint8Array {
  return keccak(bytes);
}

/** Computes keccak-256 of bytes or hex data. */
export function keccak256(data: Uint8Array | Hex): Hex {
  return bytesToHex(keccak(typeof data === 'string' ? hexToBytes(data) : data));
}

/** Computes keccak-256 of UTF-8 text. */
export function keccak256Text(text: string): Uint8Array {
  return keccak(new TextEncoder().encode(text));
}

/** Computes SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes);
}
