import { createHash } from 'node:crypto';

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const ALLOC_KEY = 'alloc';

/** A JSON document in two parts. */
export interface SplitDocument {
  /** The document with `null` for the value of its key `alloc`. */
  readonly rest: string;
  /** sha256 of the bytes of that value, hex; undefined if the document has no such key. */
  readonly allocKey: string | undefined;
}

/**
 * Splits the value of the top-level key `alloc` off a JSON document.
 * The document arrives in chunks. The value is hashed and not kept. Malformed JSON is split anyhow, and the parser of
 * the parts reports it.
 */
export function splitAlloc(pieces: Iterable<Buffer>): SplitDocument {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let hasAlloc = false;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let isInside = false;
  /** The last string at depth 1. It is a key if a colon follows. */
  let text = '';
  for (const piece of pieces) {
    /** Offset of the bytes that are neither kept nor hashed yet. */
    let from = 0;
    let backslash = -1;
    for (let at = 0; at < piece.length; at++) {
      if (isString) {
        // Most of a genesis file is code in long strings. A native search is many times faster than this loop.
        const start = at;
        if (isEscaped) at++;
        isEscaped = false;
        if (backslash < at) backslash = offsetOf(BACKSLASH, piece, at);
        at = Math.min(offsetOf(QUOTE, piece, at), backslash);
        if (depth === 1 && !isInside) text += piece.toString('latin1', start, at === backslash ? at + 1 : at);
        if (at === backslash) isEscaped = at < piece.length;
        else isString = false;
        continue;
      }
      const byte = piece[at] ?? 0;
      if (byte === QUOTE) {
        isString = true;
        text = '';
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte === COMMA) {
        // The next comma or closing bracket ends the value.
        if (isInside && depth === 1) {
          hash.update(piece.subarray(from, at));
          from = at;
          isInside = false;
        }
        if (byte !== COMMA) depth--;
      } else if (byte === COLON && depth === 1 && text === ALLOC_KEY) {
        parts.push(Buffer.from(piece.subarray(from, at + 1)), Buffer.from('null'));
        from = at + 1;
        isInside = true;
        hasAlloc = true;
      }
    }
    if (isInside) hash.update(piece.subarray(from));
    else parts.push(Buffer.from(piece.subarray(from)));
  }
  return { rest: Buffer.concat(parts).toString('utf8'), allocKey: hasAlloc ? hash.digest('hex') : undefined };
}

/** Returns where a byte comes next in a piece; the length of the piece if it does not. */
function offsetOf(byte: number, piece: Buffer, from: number): number {
  const at = piece.indexOf(byte, from);
  return at === -1 ? piece.length : at;
}
