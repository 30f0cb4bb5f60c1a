import { printable, readFrom } from '../../system/lines.ts';

/** Bytes of a log that are searched, from its end. */
const SEARCHED = 4 * 1024 * 1024;

const REFUSED = /invalid|refus|reject|bad block|could not (?:insert|import)|failed to (?:insert|import|process)/i;

/**
 * The line in which a node said that it refused a block: it speaks of refusal and names the block, by hash or by number. Undefined where no
 * log has one; the newest counts.
 */
export function refusalOf(
  logs: readonly string[],
  block: { readonly number: number; readonly hash: string },
): string | undefined {
  const hash = block.hash.toLowerCase().replace(/^0x/, '');
  // Clients shorten hashes: the first eight digits are enough to know one by.
  const named = new RegExp(
    `${hash.slice(0, 8)}|\\b(?:number|block|height)["']?\\s*[=:#]?\\s*["']?(?:${block.number}|0x${block.number.toString(16)})\\b`,
    'i',
  );
  for (const log of logs) {
    const line = readFrom(log, 0, SEARCHED)
      .split('\n')
      .findLast((each) => REFUSED.test(each) && named.test(each));
    if (line !== undefined) return printable(line.trim());
  }
  return undefined;
}
