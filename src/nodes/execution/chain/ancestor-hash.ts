import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/** The lookups of a chain that an ancestor is found by. */
interface Headers {
  canonicalHash(number: number): Hex | undefined;
  header(hash: Hex): BlockHeader | undefined;
}

/**
 * Returns the hash of the ancestor of a number, as `BLOCKHASH` reads it. Undefined if it is not stored.
 * The block of the parent may be on any branch. geth: `GetHashFn`.
 */
export function ancestorHash(
  chain: Headers,
  parentHash: Hex,
  parent: BlockHeader,
  number: number,
): Uint8Array | undefined {
  let hash = parentHash;
  let header = parent;
  while (header.number > number) {
    if (chain.canonicalHash(header.number) === hash) {
      const canonical = chain.canonicalHash(number);
      return canonical === undefined ? undefined : hexToBytes(canonical);
    }
    hash = header.parentHash;
    const next = chain.header(hash);
    if (next === undefined) return undefined;
    header = next;
  }
  return hexToBytes(hash);
}
