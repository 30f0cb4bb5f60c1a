/** Limits of documents that a user writes. */
export const DOCUMENT_LIMITS = {
  bytes: 128 * 1024,
  /** Levels of nesting. */
  depth: 64,
  /** Uses of anchors. */
  aliases: 100,
  /** Values after aliases are followed. */
  values: 20_000,
  /** Of a JSON file that a spec names. The genesis of a large chain has some 10 MB. */
  jsonBytes: 64 * 1024 * 1024,
} as const;
