import { lowerHex } from '../../../protocol/hex.ts';
import type { Hex, L1Receipt, L1Transaction, Log } from '../../../protocol/types.ts';
import { jsonObjects } from '../../../rpc/json-object.ts';
import { hash, integer } from './header.ts';

type Json = Readonly<Record<string, unknown>>;

/** Reads a transaction of JSON-RPC. @throws Error on a field that is missing or malformed */
export function readTransaction(json: Json): L1Transaction {
  const hashes = json['blobVersionedHashes'];
  return {
    hash: hash(json['hash']),
    type: integer(json['type'] ?? '0x0'),
    from: address(json['from']),
    to: json['to'] == null ? null : address(json['to']),
    input: data(json['input']),
    ...(Array.isArray(hashes) ? { blobVersionedHashes: hashes.map(hash) } : {}),
  };
}

/** Reads a receipt of JSON-RPC. @throws Error on a field that is missing or malformed */
export function readReceipt(json: Json): L1Receipt {
  return {
    transactionHash: hash(json['transactionHash']),
    status: integer(json['status'] ?? '0x1') === 1,
    logs: jsonObjects(json['logs'], 'logs of a receipt').map(readLog),
  };
}

function readLog(json: Json): Log {
  return {
    address: address(json['address']),
    topics: listOf(json['topics']).map(hash),
    data: data(json['data']),
    logIndex: integer(json['logIndex']),
    transactionHash: hash(json['transactionHash']),
  };
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`expected a list, found ${JSON.stringify(value)}`);
  return value;
}

function address(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(value))
    throw new Error(`expected an address, found ${JSON.stringify(value)}`);
  return lowerHex(value);
}

function data(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw new Error(`expected hex data, found ${JSON.stringify(value)?.slice(0, 80)}`);
  return lowerHex(value);
}
