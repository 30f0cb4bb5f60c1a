import { bytesToHex } from '../../protocol/hex.ts';

/** Owner of a derived key. Every field is part of the derivation, so that no two keys are equal. */
export interface KeyOwner {
  readonly seed: number;
  readonly devnet: string;
  readonly chain: string;
  readonly node: string;
}

/** HKDF-SHA256 (RFC 5869) to 32 bytes. */
export type Hkdf = (key: Uint8Array, salt: Uint8Array, info: Uint8Array) => Uint8Array;

const encode = (text: string) => new TextEncoder().encode(text);
const SALT = encode('rollup-devnet');

/** Derives 32 bytes for a purpose, as hex without prefix (HKDF-SHA256 over devnet, chain, node and purpose). */
export function deriveSecret(owner: KeyOwner, purpose: string, hkdf: Hkdf): string {
  return bytesToHex(expand(owner, purpose, hkdf)).slice(2);
}

/** The order of secp256k1: private keys are below it and above zero. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Derives a secp256k1 private key for a purpose, as hex without prefix. */
export function deriveKey(owner: KeyOwner, purpose: string, hkdf: Hkdf): string {
  for (let attempt = 0; ; attempt++) {
    const key = bytesToHex(expand(owner, attempt === 0 ? purpose : `${purpose}#${attempt}`, hkdf));
    if (BigInt(key) > 0n && BigInt(key) < ORDER) return key.slice(2);
  }
}

function expand({ seed, devnet, chain, node }: KeyOwner, purpose: string, hkdf: Hkdf): Uint8Array {
  return hkdf(encode(String(seed)), SALT, encode(JSON.stringify([devnet, chain, node, purpose])));
}

/**
 * Returns the peer id of a compressed secp256k1 public key. It is the base58 identity multihash of the key's protobuf
 * (libp2p specification: Peer Ids).
 */
export function peerIdOf(publicKey: Uint8Array): string {
  // multihash: identity, 37 bytes; protobuf: type 2 (Secp256k1), data of 33 bytes
  return base58(Uint8Array.from([0x00, 0x25, 0x08, 0x02, 0x12, 0x21, ...publicKey]));
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58(bytes: Uint8Array): string {
  let value = BigInt(bytesToHex(bytes));
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}
