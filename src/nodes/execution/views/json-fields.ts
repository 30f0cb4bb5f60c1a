import { toBigInt } from '../../../protocol/bytes.ts';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/** Receives the fields of a JSON object in order. So a view is one function for objects and for text. */
export interface JsonFields {
  /** Data: bytes, or their hex. null: the field is null. */
  data(name: string, value: Uint8Array | Hex | null): void;
  /** A QUANTITY. Bytes are a big-endian integer without leading zeros. */
  quantity(name: string, value: bigint | number | Uint8Array): void;
  /** Data or a QUANTITY in bytes from `start` to `end`. Views of them would be most of a full block's garbage. */
  part(as: 'data' | 'quantity', name: string, within: Uint8Array, start: number, end: number): void;
  /** A list of data. */
  list(name: string, values: readonly (Uint8Array | Hex)[]): void;
  /** Any other value. */
  value(name: string, value: unknown): void;
  /** A list of objects. */
  objects<Item>(name: string, items: readonly Item[], view: (fields: JsonFields, item: Item, at: number) => void): void;
}

type Json = Record<string, unknown>;

/** Returns the object of a view. */
export function objectOf(view: (fields: JsonFields) => void): Readonly<Json> {
  const json: Json = {};
  view({
    data(name, value) {
      json[name] = value instanceof Uint8Array ? bytesToHex(value) : value;
    },
    quantity(name, value) {
      json[name] = quantity(value instanceof Uint8Array ? toBigInt(value) : value);
    },
    part(as, name, within, start, end) {
      this[as](name, within.subarray(start, end));
    },
    list(name, values) {
      json[name] = values.map((value) => (value instanceof Uint8Array ? bytesToHex(value) : value));
    },
    value(name, value) {
      json[name] = value;
    },
    objects(name, items, view) {
      json[name] = items.map((item, at) => objectOf((fields) => view(fields, item, at)));
    },
  });
  return json;
}
