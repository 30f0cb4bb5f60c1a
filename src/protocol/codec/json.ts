import { ProtocolError } from '../errors.ts';
import { lowerHex } from '../hex.ts';
import type { Hex } from '../types.ts';

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

const HEX = /^0x[0-9a-fA-F]*$/;

/**
 * Typed reads of one JSON object's fields (geth: `hexutil.Bytes`, `hexutil.Big`, `hexutil.Uint64`).
 * `null` and a missing field are the same. Every method throws ProtocolError json-malformed.
 */
export interface JsonFields {
  has(field: string): boolean;
  /** DATA, of `size` bytes if given; lower case. */
  data(field: string, size?: number): Hex;
  /** QUANTITY */
  bigint(field: string): bigint;
  /** QUANTITY that fits 64 bits. */
  uint64(field: string): bigint;
  /** QUANTITY that fits 2^53. */
  number(field: string): number;
  /** A JSON number, or a QUANTITY. */
  integer(field: string): number;
  boolean(field: string): boolean;
  array(field: string): readonly unknown[];
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads `value` as a JSON object; `what` names it in errors. @throws ProtocolError json-malformed */
export function jsonFields(value: unknown, what: string): JsonFields {
  if (!isJsonObject(value)) throw malformed(what, 'an object', value);
  const object = value;
  const bigint = (field: string) => {
    const text = object[field];
    if (typeof text !== 'string' || !/^0x[0-9a-fA-F]+$/.test(text))
      throw malformed(`${what}.${field}`, 'a hex quantity', text);
    return BigInt(text);
  };
  const number = (field: string) => {
    const integer = bigint(field);
    if (integer > BigInt(Number.MAX_SAFE_INTEGER))
      throw malformed(`${what}.${field}`, 'a quantity below 2^53', object[field]);
    return Number(integer);
  };
  return {
    has: (field) => object[field] !== undefined && object[field] !== null,
    data: (field, size) => jsonData(object[field], `${what}.${field}`, size),
    bigint,
    uint64(field) {
      const integer = bigint(field);
      if (integer >= 1n << 64n) throw malformed(`${what}.${field}`, 'a quantity below 2^64', object[field]);
      return integer;
    },
    number,
    integer(field) {
      const value = object[field];
      if (typeof value !== 'number') return number(field);
      if (!Number.isSafeInteger(value) || value < 0)
        throw malformed(`${what}.${field}`, 'an integer below 2^53', value);
      return value;
    },
    boolean(field) {
      const flag = object[field];
      if (typeof flag !== 'boolean') throw malformed(`${what}.${field}`, 'true or false', flag);
      return flag;
    },
    array(field) {
      const list = object[field];
      if (!Array.isArray(list)) throw malformed(`${what}.${field}`, 'an array', list);
      return list;
    },
  };
}

/** Reads DATA, of `size` bytes if given; lower case (geth: `hexutil.Bytes`). @throws ProtocolError json-malformed */
export function jsonData(value: unknown, what: string, size?: number): Hex {
  const expected = size === undefined ? 'hex data' : `${size} bytes of hex data`;
  if (typeof value !== 'string') throw malformed(what, expected, value);
  const well = HEX.test(value) && value.length % 2 === 0 && (size === undefined || value.length === 2 + size * 2);
  if (!well) throw malformed(what, expected, value);
  return lowerHex(value);
}

function malformed(field: string, expected: string, value: unknown): ProtocolError {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value).slice(0, 80);
  return new ProtocolError('json-malformed', 'drop', `${field}: expected ${expected}, found ${text}`, { field });
}
