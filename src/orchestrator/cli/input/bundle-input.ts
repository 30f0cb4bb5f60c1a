import { parseUniqueJson } from '../../../protocol/genesis/file/unique-json.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { readJson } from '../../../system/files/atomic-write.ts';
import { readText, unreadable } from '../../../system/files/folder.ts';

/** Maximum size (bytes) of a file of hex text. The largest published transaction has about 30 kB. */
const MAX_HEX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Reads the transactions of a file: one per line in hex, with or without 0x.
 * @throws Failure `upgrade-bundle` (exit 2)
 */
export function publishedTransactions(path: string): readonly Uint8Array[] {
  const problem = unreadable(path, MAX_HEX_FILE_BYTES);
  if (problem !== undefined) throw fault(`cannot read ${path}: ${problem}`);
  const text = readText(path);
  if (text === undefined) throw fault(`cannot read ${path}: no such file, or no permission to read it`);
  const lines = text.split(/\s+/).filter((line) => line !== '');
  if (lines.length === 0) throw fault(`${path} is empty`);
  return lines.map((line) => {
    if (!/^(0x)?([0-9a-fA-F]{2})+$/.test(line)) throw fault(`${path} is not hex: ${line.slice(0, 40)}`);
    return hexToBytes(line.startsWith('0x') ? line : `0x${line}`);
  });
}

/** Parses a bundle file. @throws Failure `upgrade-bundle` (exit 2) */
export function jsonOf(path: string): unknown {
  try {
    return readJson(path, { parse: parseUniqueJson });
  } catch (error) {
    throw new Failure('upgrade-bundle', messageOf(error), { exit: EXIT.usage });
  }
}

function fault(message: string): Failure {
  return new Failure('upgrade-bundle', message, {
    exit: EXIT.usage,
    hint: 'expected hex of encoded transactions (0x7e…) or of creation code',
  });
}
