/** A part of JSON text: a string, or bytes in UTF-8, which are sent without another encoding. */
export type JsonPart = string | Uint8Array;

/** Joins parts: to bytes if one is bytes. A string of a megabyte would be copied and encoded once more. */
export function joinJson(parts: readonly JsonPart[]): string | Buffer {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/**
 * A result that is JSON text already, in parts, and is sent as it is. Without parts: it was longer than the longest
 * string. A long answer is joined once, with its envelope.
 */
export class JsonText {
  readonly parts: readonly JsonPart[] | undefined;

  constructor(parts: readonly JsonPart[] | undefined) {
    this.parts = parts;
  }
}
