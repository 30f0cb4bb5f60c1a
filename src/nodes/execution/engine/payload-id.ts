import { createHash } from 'node:crypto';
import { u64be } from '../../../protocol/bytes.ts';
import { rlpEncode } from '../../../protocol/codec/rlp.ts';
import { withdrawalItem } from '../../../protocol/codec/withdrawals.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';

/**
 * Returns the 8-byte id of a payload. Equal parent and attributes have equal ids; the first byte is the method version.
 * geth's counterpart is `BuildPayloadArgs.Id`, op-reth's `payload_id_optimism`.
 */
export function payloadId(version: number, parent: Hex, attributes: PayloadAttributes): Hex {
  const hash = createHash('sha256');
  hash.update(hexToBytes(parent));
  hash.update(u64be(attributes.timestamp));
  hash.update(hexToBytes(attributes.prevRandao));
  hash.update(hexToBytes(attributes.suggestedFeeRecipient));
  hash.update(rlpEncode((attributes.withdrawals ?? []).map(withdrawalItem)));
  if (attributes.parentBeaconBlockRoot !== undefined) hash.update(hexToBytes(attributes.parentBeaconBlockRoot));
  if (attributes.noTxPool || attributes.transactions.length > 0) {
    hash.update(Uint8Array.of(attributes.noTxPool ? 1 : 0));
    hash.update(u64be(attributes.transactions.length));
    for (const transaction of attributes.transactions) hash.update(keccak256Bytes(hexToBytes(transaction)));
  }
  hash.update(u64be(attributes.gasLimit));
  if (attributes.eip1559Params !== undefined) hash.update(hexToBytes(attributes.eip1559Params));
  if (attributes.minBaseFee !== undefined) hash.update(u64be(attributes.minBaseFee));
  const id = hash.digest().subarray(0, 8);
  id[0] = version;
  return bytesToHex(id);
}
