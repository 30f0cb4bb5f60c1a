import type { Hex } from '../../../protocol/types.ts';
import type { JsonFields } from './json-fields.ts';

const ascii = (text: string) => new TextEncoder().encode(text);

const [QUOTE, COMMA, OPEN, CLOSE] = [0x22, 0x2c, 0x7b, 0x7d] as const;
const PREFIX = ascii('"0x');
const DIGITS = ascii('0123456789abcdef');
const FIRST_BYTES = 16 * 1024;
/** Bytes that are kept for the next view. */
const MAX_KEPT_BYTES = 1024 * 1024;

/**
 * Writes the objects of views as JSON text, one behind another.
 * The digits go to one array: objects and strings of a full block's fields are 20 MB of garbage.
 */
export class JsonTextWriter implements JsonFields {
  readonly #names = new Map<string, Uint8Array>();
  #bytes = Buffer.alloc(FIRST_BYTES);
  #at = 0;
  #isFirstField = true;

  /** Adds the object of a view behind `before`: the start of a list, or the comma between two objects. */
  add(before: '[' | ',' | '', view: (fields: JsonFields) => void): void {
    this.#plain(before);
    this.#reach(1);
    this.#bytes[this.#at++] = OPEN;
    this.#isFirstField = true;
    view(this);
    this.#reach(1);
    this.#bytes[this.#at++] = CLOSE;
  }

  /** Returns the text of the objects that were added as bytes, and begins anew. */
  take(): Uint8Array {
    const text = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return text;
  }

  /** Returns the text of one view. */
  textOf(view: (fields: JsonFields) => void): string {
    try {
      this.add('', view);
      return this.#bytes.toString('utf8', 0, this.#at);
    } finally {
      this.#at = 0;
      if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.alloc(FIRST_BYTES);
    }
  }

  data(name: string, value: Uint8Array | Hex | null): void {
    this.#name(name);
    if (value === null) this.#plain('null');
    else this.#data(value);
  }

  list(name: string, values: readonly (Uint8Array | Hex)[]): void {
    this.#name(name);
    this.#plain('[');
    for (const [at, value] of values.entries()) {
      if (at > 0) this.#plain(',');
      this.#data(value);
    }
    this.#plain(']');
  }

  quantity(name: string, value: bigint | number | Uint8Array): void {
    this.#name(name);
    if (value instanceof Uint8Array) {
      this.#quantityBytes(value, 0, value.length);
      return;
    }
    const digits = value.toString(16);
    this.#reach(4 + digits.length);
    this.#copy(PREFIX);
    this.#ascii(digits);
    this.#bytes[this.#at++] = QUOTE;
  }

  part(as: 'data' | 'quantity', name: string, within: Uint8Array, start: number, end: number): void {
    this.#name(name);
    if (as === 'data') this.#dataBytes(within, start, end);
    else this.#quantityBytes(within, start, end);
  }

  value(name: string, value: unknown): void {
    this.#name(name);
    const text = value instanceof WrittenView ? value.text : JSON.stringify(value);
    this.#reach(Buffer.byteLength(text));
    this.#at += this.#bytes.write(text, this.#at, 'utf8');
  }

  objects<Item>(
    name: string,
    items: readonly Item[],
    view: (fields: JsonFields, item: Item, at: number) => void,
  ): void {
    this.#name(name);
    this.#plain('[');
    for (const [at, item] of items.entries()) {
      this.#plain(at === 0 ? '{' : ',{');
      this.#isFirstField = true;
      view(this, item, at);
      this.#plain('}');
    }
    this.#plain(']');
    this.#isFirstField = false;
  }

  #data(value: Uint8Array | Hex): void {
    if (value instanceof Uint8Array) {
      this.#dataBytes(value, 0, value.length);
      return;
    }
    this.#reach(2 + value.length);
    this.#bytes[this.#at++] = QUOTE;
    this.#ascii(value);
    this.#bytes[this.#at++] = QUOTE;
  }

  #dataBytes(within: Uint8Array, start: number, end: number): void {
    this.#reach(4 + 2 * (end - start));
    this.#copy(PREFIX);
    this.#digits(within, start, end);
    this.#bytes[this.#at++] = QUOTE;
  }

  #quantityBytes(within: Uint8Array, start: number, end: number): void {
    this.#reach(5 + 2 * (end - start));
    this.#copy(PREFIX);
    const first = start < end ? (within[start] ?? 0) : 0;
    if (first < 16) this.#bytes[this.#at++] = DIGITS[first] ?? 0;
    this.#digits(within, first < 16 ? start + 1 : start, end);
    this.#bytes[this.#at++] = QUOTE;
  }

  #plain(text: string): void {
    this.#reach(text.length);
    this.#ascii(text);
  }

  #name(name: string): void {
    let bytes = this.#names.get(name);
    if (bytes === undefined) {
      bytes = ascii(`${JSON.stringify(name)}:`);
      this.#names.set(name, bytes);
    }
    this.#reach(1 + bytes.length);
    if (!this.#isFirstField) this.#bytes[this.#at++] = COMMA;
    this.#isFirstField = false;
    this.#copy(bytes);
  }

  #copy(from: Uint8Array): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let next = 0; next < from.length; next++) bytes[at++] = from[next] ?? 0;
    this.#at = at;
  }

  #digits(within: Uint8Array, start: number, end: number): void {
    const bytes = this.#bytes;
    let to = this.#at;
    for (let at = start; at < end; at++) {
      const byte = within[at] ?? 0;
      bytes[to++] = DIGITS[byte >> 4] ?? 0;
      bytes[to++] = DIGITS[byte & 15] ?? 0;
    }
    this.#at = to;
  }

  #ascii(text: string): void {
    const bytes = this.#bytes;
    const from = this.#at;
    for (let at = 0; at < text.length; at++) bytes[from + at] = text.charCodeAt(at);
    this.#at = from + text.length;
  }

  #reach(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * (this.#at + count));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

const WRITER = new JsonTextWriter();

/**
 * A view whose text is written at once. A block's traces wait for the last one: as text they are a string each, as
 * objects they live long enough to reach the old generation.
 */
export class WrittenView {
  readonly text: string;

  constructor(view: (fields: JsonFields) => void) {
    this.text = WRITER.textOf(view);
  }

  /** Returns the object of the view, for `JSON.stringify`. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
