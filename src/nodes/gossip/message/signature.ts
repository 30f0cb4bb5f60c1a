import { concat } from '../../../protocol/bytes.ts';
import { gossipSigningHash, SIGNATURE_SIZE } from '../../../protocol/codec/gossip.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { publicKeyOf, recoverPublicKey, sign } from '../../crypto/secp256k1.ts';
import type { DropReason } from './drop-reason.ts';

/** Signs the bodies of gossiped blocks (op-node: `Signer`, kona: `BlockSigner`). */
export interface BlockSigner {
  readonly address: Hex;
  /** r ‖ s ‖ v over the body's signing hash. */
  sign(body: Uint8Array, chainId: number): Uint8Array | Promise<Uint8Array>;
}

/** A signer with a local key (op-node: `LocalSigner`). */
export interface KeySigner extends BlockSigner {
  sign(body: Uint8Array, chainId: number): Uint8Array;
}

/** Creates a signer with a secp256k1 key of 32 bytes (op-node: `NewLocalSigner`). Signing throws on an invalid key. */
export function keySigner(key: Uint8Array): KeySigner {
  let address: Hex | undefined;
  return {
    // The first signature loads the library, so that the start does not.
    get address() {
      address ??= addressOf(publicKeyOf(key));
      return address;
    },
    sign(body, chainId) {
      const { signature, recovery } = sign(gossipSigningHash(body, chainId), key);
      return concat(signature, Uint8Array.of(recovery));
    },
  };
}

/**
 * Checks that the unsafe block signer of the system config signed a body (op-node: `verifyBlockSignature`).
 * Returns undefined if it did. `signer`: undefined while it is not known.
 */
export function verifyBlockSignature(
  signature: Uint8Array,
  body: Uint8Array,
  chainId: number,
  signer: Hex | undefined,
): Extract<DropReason, { kind: 'signature' | 'signer unknown' | 'signer' }> | undefined {
  const recovered = recoverSigner(signature, body, chainId);
  if (recovered === undefined) return { kind: 'signature' };
  if (signer === undefined) return { kind: 'signer unknown' };
  return recovered === signer.toLowerCase() ? undefined : { kind: 'signer', signer: recovered, expected: signer };
}

/**
 * Recovers the address of a signature over a body (geth: `SigToPub`).
 * Returns undefined for an invalid signature.
 */
export function recoverSigner(signature: Uint8Array, body: Uint8Array, chainId: number): Hex | undefined {
  const parity = signature[SIGNATURE_SIZE - 1];
  if (signature.length !== SIGNATURE_SIZE || parity === undefined || parity > 1) return undefined;
  try {
    const compact = signature.subarray(0, SIGNATURE_SIZE - 1);
    return addressOf(recoverPublicKey(compact, parity, gossipSigningHash(body, chainId)));
  } catch {
    return undefined;
  }
}

/** Returns the address of a public key of 64 bytes (geth: `PubkeyToAddress`). */
function addressOf(publicKey: Uint8Array): Hex {
  return bytesToHex(keccak256Bytes(publicKey).subarray(12));
}
