import { concat, concatAll, u64le, u256le } from '../../bytes.ts';
import { ProtocolError } from '../../errors.ts';
import { hexLength, hexToBytes, hexToBytesJoined, hexToSized } from '../../hex.ts';
import type { ExecutionPayload, Hex } from '../../types.ts';
import { FIXED_SIZE, OFFSET_SIZE, type PayloadVersion } from './layout.ts';

/**
 * Encodes a payload as SSZ (op-service: `ExecutionPayload.MarshalSSZ`; specification: rollup node p2p, block encoding).
 * @throws ProtocolError payload-invalid on a missing field
 */
export function encodePayload(payload: ExecutionPayload, version: PayloadVersion): Uint8Array {
  const extraData = hexToBytes(payload.extraData);
  const transactions = encodeTransactionList(payload.transactions);
  const extraDataAt = FIXED_SIZE[version];
  const transactionsAt = extraDataAt + extraData.length;
  const present = <T>(value: T | undefined, field: string): T => {
    if (value !== undefined) return value;
    throw new ProtocolError('payload-invalid', 'drop', `payload of version ${version} lacks ${field}`, { field });
  };
  const parts = [
    hexToSized(payload.parentHash, 32),
    hexToSized(payload.feeRecipient, 20),
    hexToSized(payload.stateRoot, 32),
    hexToSized(payload.receiptsRoot, 32),
    hexToSized(payload.logsBloom, 256),
    hexToSized(payload.prevRandao, 32),
    u64le(payload.blockNumber),
    u64le(payload.gasLimit),
    u64le(payload.gasUsed),
    u64le(payload.timestamp),
    offset(extraDataAt),
    u256le(payload.baseFeePerGas),
    hexToSized(payload.blockHash, 32),
    offset(transactionsAt),
  ];
  if (version >= 2) {
    present(payload.withdrawals, 'withdrawals');
    parts.push(offset(transactionsAt + transactions.length));
  }
  if (version >= 3)
    parts.push(
      u64le(present(payload.blobGasUsed, 'blobGasUsed')),
      u64le(present(payload.excessBlobGas, 'excessBlobGas')),
    );
  if (version >= 4) parts.push(hexToSized(present(payload.withdrawalsRoot, 'withdrawalsRoot'), 32));
  return concatAll([...parts, extraData, transactions]);
}

/** Offsets of the items, then the items. */
function encodeTransactionList(transactions: readonly Hex[]): Uint8Array {
  const offsets = new Uint8Array(transactions.length * OFFSET_SIZE);
  const view = new DataView(offsets.buffer);
  let at = offsets.length;
  for (const [index, item] of transactions.entries()) {
    view.setUint32(index * OFFSET_SIZE, at, true);
    at += hexLength(item);
  }
  return concat(offsets, hexToBytesJoined(transactions));
}

/** u32, little-endian. */
function offset(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24);
}
