import * as z from 'zod';
import { concatAll, u256be } from '../../protocol/bytes.ts';
import { keccak256Bytes } from '../../protocol/hash.ts';
import { bytesToHex, hexToSized, sameHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import { type MethodTable, method } from '../../rpc/method.ts';
import { sign } from '../crypto/secp256k1.ts';

/** The key that signs, and its address. */
export interface SigningKey {
  readonly key: Uint8Array;
  readonly address: Hex;
  readonly version: string;
}

const word = z.custom<Hex>((value) => /^0x[\da-f]{64}$/i.test(String(value)), '0x and 64 hex digits');
const request = z.object({
  domain: word,
  chainId: z.string().regex(/^\d{1,78}$/),
  payloadHash: word,
  senderAddress: z.custom<Hex>((value) => /^0x[\da-f]{40}$/i.test(String(value)), '0x and 40 hex digits'),
});
type Of = SigningKey;

/** Methods of the signer's RPC, as a rollup node calls them (op-signer: `SignerService`). */
export const SIGNER_METHODS: MethodTable<SigningKey> = {
  health_status: method('Version of this program', z.tuple([]), ({ version }: Of) => version),
  opsigner_signBlockPayloadV2: method(
    'Signature of a block that is gossiped',
    z.tuple([request]),
    ({ key, address }: Of, [{ domain, chainId, payloadHash, senderAddress }]) => {
      if (!sameHex(senderAddress, address))
        throw new RpcError(RPC_CODE.server, `this signer signs as ${address}, asked was ${senderAddress}`);
      const parts = [hexToSized(domain, 32), u256be(BigInt(chainId)), hexToSized(payloadHash, 32)];
      const { signature, recovery } = sign(keccak256Bytes(concatAll(parts)), key);
      return bytesToHex(concatAll([signature, Uint8Array.of(recovery)]));
    },
  ),
};
