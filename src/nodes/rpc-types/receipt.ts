import { rlpEncode, rlpUint } from '../../protocol/codec/rlp.ts';
import { hexToBytes } from '../../protocol/hex.ts';
import { jsonObjects } from '../../rpc/json-object.ts';

/** Encodes a receipt from its JSON, as in the receipts root (EIP-2718; geth: `Receipts.EncodeIndex`). */
export function encodeReceipt(json: Readonly<Record<string, unknown>>): Uint8Array {
  const logs = jsonObjects(json['logs'], 'logs of a receipt').map((log) => [
    hexToBytes(String(log['address'])),
    Array.isArray(log['topics']) ? log['topics'].map((topic) => hexToBytes(String(topic))) : [],
    hexToBytes(String(log['data'])),
  ]);
  const status = json['status'] === undefined ? hexToBytes(String(json['root'])) : uint(json['status']);
  const body = rlpEncode([status, uint(json['cumulativeGasUsed']), hexToBytes(String(json['logsBloom'])), logs]);
  const type = Number(json['type'] ?? 0);
  return type === 0 ? body : Uint8Array.from([type, ...body]);
}

function uint(value: unknown): Uint8Array {
  return rlpUint(BigInt(String(value)));
}
