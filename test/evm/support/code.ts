/** Code of a list of opcodes and of words, which are pushed with 32 bytes. */
export function codeOf(...parts: readonly (number | bigint)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'number' ? [part] : [0x7f, ...Buffer.from(part.toString(16).padStart(64, '0'), 'hex')],
    ),
  );
}

/** Returns the bytes of hex without 0x. */
export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}
