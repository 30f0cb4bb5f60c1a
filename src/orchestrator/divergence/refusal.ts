import { printable, readFrom } from '../../system/files/lines.ts';

/** Bytes at the end of a log that are searched. */
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024;

const REFUSED = /invalid|refus|reject|bad block|could not (?:insert|import)|failed to (?:insert|import|process)/i;

/**
 * Finds the newest log line in which a node reports that it refused a block. The line must speak of refusal and
 * contain the block's hash or number. `most`: bytes at the end of each log that are searched.
 */
export function refusalOf(
  logs: readonly string[],
  block: { readonly number: number; readonly hash: string },
  most = MAX_SEARCHED_BYTES,
): string | undefined {
  const hash = block.hash.toLowerCase().replace(/^0x/, '');
  // Clients shorten hashes: the first eight digits identify one.
  const mention = new RegExp(
    `${hash.slice(0, 8)}|` +
      `\\b(?:number|block|height)["']?\\s*[=:#]?\\s*["']?(?:${block.number}|0x${block.number.toString(16)})\\b`,
    'i',
  );
  for (const log of logs) {
    const line = readFrom(log, 0, most)
      .split('\n')
      .findLast((each) => REFUSED.test(each) && mention.test(each));
    if (line !== undefined) return printable(line.trim());
  }
  return undefined;
}
