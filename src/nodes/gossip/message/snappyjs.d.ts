declare module 'snappyjs' {
  /** Decompresses one snappy block. @throws Error on a malformed block, or one above `maxLength` bytes */
  export function uncompress(compressed: Uint8Array, maxLength?: number): Uint8Array;
  /** One snappy block. */
  export function compress(data: Uint8Array): Uint8Array;
}
