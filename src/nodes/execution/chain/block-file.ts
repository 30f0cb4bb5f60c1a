import { rlpSpan } from '../../../protocol/codec/rlp.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import { decodeBlock, type UnexecutedBlock } from './unexecuted-block.ts';

/** Maximum size of a block in bytes. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024;

/**
 * Yields the blocks of a chain file, one RLP list after another (geth: `ImportChain`, reth: `FileClient`).
 * @throws ProtocolError rlp-malformed, payload-invalid
 */
export async function* blocksIn(pieces: AsyncIterable<Buffer>): AsyncIterable<UnexecutedBlock> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    for (let end = endOf(rest, at); end !== undefined; end = endOf(rest, at)) {
      // The copy lets the chunk of the file be freed while the block is in use.
      yield decodeBlock(Uint8Array.from(rest.subarray(at, end)));
      at = end;
    }
    rest = rest.subarray(at);
  }
  // Decoding a truncated rest throws the right error.
  if (rest.length > 0) yield decodeBlock(rest);
}

/** Returns the end of the item at `at`, or undefined if it is incomplete. @throws ProtocolError rlp-malformed */
function endOf(bytes: Buffer, at: number): number | undefined {
  try {
    return rlpSpan(bytes, at).end;
  } catch (error) {
    const mayBeList = (bytes[at] ?? 0xc0) >= 0xc0;
    if (isProtocolError(error, 'rlp-malformed') && mayBeList && bytes.length - at < MAX_BLOCK_BYTES) return undefined;
    throw error;
  }
}
