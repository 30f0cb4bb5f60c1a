import { rlpSpan } from '../../../protocol/codec/rlp.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import { decodeBlock, type UnexecutedBlock } from './unexecuted-block.ts';

/** Bytes of a block, at most. */
const LARGEST = 64 * 1024 * 1024;

/** Blocks of a chain file, one RLP list after another. @throws ProtocolError rlp-malformed, payload-invalid */
export async function* blocksIn(pieces: AsyncIterable<Buffer>): AsyncIterable<UnexecutedBlock> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    for (let end = endOf(rest, at); end !== undefined; end = endOf(rest, at)) {
      // A copy: a block must not hold on to the piece that it came with.
      yield decodeBlock(Uint8Array.from(rest.subarray(at, end)));
      at = end;
    }
    rest = rest.subarray(at);
  }
  // What is cut off says so when it is read as a whole.
  if (rest.length > 0) yield decodeBlock(rest);
}

/** Where the item at `at` ends; undefined where more bytes are needed. @throws ProtocolError rlp-malformed */
function endOf(bytes: Buffer, at: number): number | undefined {
  try {
    return rlpSpan(bytes, at).end;
  } catch (error) {
    const mayBeList = at >= bytes.length || bytes[at]! >= 0xc0;
    if (isProtocolError(error, 'rlp-malformed') && mayBeList && bytes.length - at < LARGEST) return undefined;
    throw error;
  }
}
