import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { writePieces } from '../../../system/files/byte-file.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Chain } from '../chain/chain.ts';
import { encodeBlock } from '../chain/unexecuted-block.ts';

/**
 * Writes canonical blocks as RLP, as `geth export` does (geth: `ExportChain`, `ExportAppendChain`).
 * Without `range` it writes all blocks into a new file, else the blocks of the range to the end of the file. @throws
 * Failure `export`
 */
export async function exportFile(
  chain: Chain,
  file: string,
  range: readonly string[],
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const head = chain.head.header.number;
  const [first = 0, last = head] = range.map(numberOf);
  if (first > last || last > head)
    throw new Failure('export', `cannot export blocks ${first} to ${last}: the chain has blocks 0 to ${head}`, {
      data: { first, last, head },
      exit: EXIT.usage,
    });
  const writer = writePieces(file, range.length === 0 ? 'replace' : 'append');
  try {
    let number = first;
    for (; number <= last && !signal.aborted; number++) await writer.write(encodeBlock(chain.canonicalBlock(number)));
    await writer.close();
    log.info('exported chain file', { file, first, last: number - 1 });
  } catch (cause) {
    throw new Failure('export', `cannot write ${file}: ${messageOf(cause)}`, {
      data: { file },
      exit: EXIT.lacking,
      cause,
    });
  }
}

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Failure('usage', `export: expected a block number, found ${text}`, { exit: EXIT.usage });
}
