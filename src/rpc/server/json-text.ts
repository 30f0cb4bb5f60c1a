/** A part of JSON text: a string, or bytes in UTF-8, which are sent without another encoding. */
export type JsonPart = string | Uint8Array;

/** A response: text, or parts of a long one. They are sent one after another, without a copy of the whole. */
export type ResponseText = string | readonly JsonPart[];

/** Returns the length of a response in characters, those of bytes in UTF-8. */
export function lengthOf(text: ResponseText): number {
  if (typeof text === 'string') return text.length;
  let length = 0;
  for (const part of text) length += part.length;
  return length;
}

/** Joins the parts of a response: to bytes if one is bytes. */
export function joinJson(text: ResponseText): string | Buffer {
  if (typeof text === 'string') return text;
  if (text.every((part) => typeof part === 'string')) return text.join('');
  return Buffer.concat(text.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/**
 * A result that is JSON text already, in parts, and is sent as it is. Without parts: it was longer than the longest
 * string.
 */
export class JsonText {
  readonly parts: readonly JsonPart[] | undefined;

  constructor(parts: readonly JsonPart[] | undefined) {
    this.parts = parts;
  }
}
