import { toBigInt } from '../../protocol/bytes.ts';
import { keccak256Bytes } from '../../protocol/hash.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { isPrivateKey, publicKeyOf, sign } from '../crypto/secp256k1.ts';

interface Signature {
  readonly yParity: number;
  readonly r: bigint;
  readonly s: bigint;
}

/** An externally owned account that can sign (op-service: `SignerFn`). */
export interface Account {
  readonly address: Hex;
  sign(hash: Uint8Array): Signature;
}

/**
 * Creates the account of a 32-byte private key (op-service: `PrivateKeySignerFn`).
 * @throws Failure `private-key` (exit 2) on zero or a value past the curve's order
 */
export function accountOf(key: Uint8Array): Account {
  if (!isPrivateKey(key))
    throw new Failure('private-key', 'the private key is zero or not below the order of secp256k1', {
      exit: EXIT.usage,
    });
  const address = bytesToHex(keccak256Bytes(publicKeyOf(key)).subarray(12));
  return {
    address,
    sign(hash) {
      const { signature, recovery } = sign(hash, key);
      return { yParity: recovery, r: toBigInt(signature.subarray(0, 32)), s: toBigInt(signature.subarray(32)) };
    },
  };
}
