import { readRollupConfig } from '../../protocol/genesis/file/rollup-file.ts';
import type { RollupConfig } from '../../protocol/types.ts';
import { readText } from '../../system/files/folder.ts';
import type { ChainView } from '../plan/plan.ts';

/** Reads the rollup configuration of a chain. @throws Error with each problem of the file */
export function rollupConfigOf({ rollupFile }: Pick<ChainView, 'rollupFile'>): RollupConfig {
  const read = readRollupConfig(JSON.parse(readText(rollupFile) ?? 'null'));
  if (!read.ok) throw new Error(`${rollupFile}: ${read.problems.join('; ')}`);
  return read.value;
}
