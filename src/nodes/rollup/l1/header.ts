import { type RlpItem, rlpEncode, rlpUint } from '../../../protocol/codec/rlp.ts';
import { keccak256 } from '../../../protocol/hash.ts';
import { hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import type { Hex, L1Header } from '../../../protocol/types.ts';
import { messageOf } from '../../../system/failure.ts';
import { L1Error } from './error.ts';

/** A block or header in JSON-RPC. */
export type BlockJson = Readonly<Record<string, unknown>>;

type Field = readonly [name: string, kind: 'data' | 'quantity'];

/** Header fields in RLP order, then those that later forks of L1 appended. */
const FIELDS: readonly Field[] = [
  ['parentHash', 'data'],
  ['sha3Uncles', 'data'],
  ['miner', 'data'],
  ['stateRoot', 'data'],
  ['transactionsRoot', 'data'],
  ['receiptsRoot', 'data'],
  ['logsBloom', 'data'],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'data'],
  ['mixHash', 'data'],
  ['nonce', 'data'],
];
const APPENDED: readonly Field[] = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 'data'],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 'data'],
  ['requestsHash', 'data'],
  // Amsterdam: EIP-7928 and EIP-7843.
  ['blockAccessListHash', 'data'],
  ['slotNumber', 'quantity'],
];

/** Keys of a block in JSON-RPC that its hash does not cover. */
const OUTSIDE_THE_HEADER = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];
const BLOCK_KEYS: ReadonlySet<string> = new Set([
  ...[...FIELDS, ...APPENDED].map(([name]) => name),
  ...OUTSIDE_THE_HEADER,
]);

/**
 * Computes the hash of a header from its JSON fields (op-service: `RPCHeader.computeBlockHash`).
 * An appended field that is absent before a later one counts as empty (geth: `rlp:"optional"`).
 */
export function headerHash(json: BlockJson): Hex {
  const items: RlpItem[] = FIELDS.map(([name, kind]) => item(json[name], kind));
  const last = APPENDED.findLastIndex(([name]) => isPresent(json[name]));
  for (const [name, kind] of APPENDED.slice(0, last + 1)) {
    items.push(isPresent(json[name]) ? item(json[name], kind) : new Uint8Array());
  }
  return keccak256(rlpEncode(items));
}

const isPresent = (value: unknown) => value !== undefined && value !== null;

function item(value: unknown, kind: 'data' | 'quantity'): Uint8Array {
  return kind === 'data' ? hexToBytes(String(value)) : rlpUint(BigInt(String(value)));
}

/** Reads the header that an L1 endpoint returned (op-service: `RPCHeader.Info`). `trusted`: its hash is not checked. */
export function readHeader(json: BlockJson, trusted: boolean): L1Header {
  try {
    if (!trusted) checkHash(json);
    return {
      hash: hash(json['hash']),
      number: integer(json['number']),
      parentHash: hash(json['parentHash']),
      timestamp: integer(json['timestamp']),
      mixHash: hash(json['mixHash']),
      baseFeePerGas: BigInt(String(json['baseFeePerGas'] ?? '0x0')),
      ...(json['excessBlobGas'] == null ? {} : { excessBlobGas: integer(json['excessBlobGas']) }),
      ...(json['parentBeaconBlockRoot'] == null ? {} : { parentBeaconBlockRoot: hash(json['parentBeaconBlockRoot']) }),
      ...(json['requestsHash'] == null ? {} : { requestsHash: hash(json['requestsHash']) }),
    };
  } catch (error) {
    const block = `L1 block ${String(json['number'])} (${String(json['hash'])})`;
    throw new L1Error('mismatch', `${block}: ${messageOf(error)}`);
  }
}

/** @throws Error if the fields hash to another hash; it names fields that a later fork may have appended */
function checkHash(json: BlockJson): void {
  const computed = headerHash(json);
  if (computed === json['hash']) return;
  const unknown = Object.keys(json).filter((name) => !BLOCK_KEYS.has(name) && isPresent(json[name]));
  const why =
    unknown.length === 0
      ? ''
      : `. The block has fields that are not known as header fields: ${unknown.join(', ')}. ` +
        'A later fork of L1 may have added them to headers; ' +
        '--l1.trustrpc accepts headers without verifying their hashes';
  throw new Error(`its fields hash to ${computed}${why}`);
}

/** Reads a JSON-RPC quantity. @throws Error if it is none, or exceeds 2^53 */
export function integer(value: unknown): number {
  const number = typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new Error(`expected a quantity, found ${JSON.stringify(value)}`);
  return number;
}

/** Reads 32 bytes of hex and returns them in lower case. @throws Error on another value */
export function hash(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(value))
    throw new Error(`expected 32 bytes of hex, found ${JSON.stringify(value)}`);
  return lowerHex(value);
}
