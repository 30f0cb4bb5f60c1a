import { parseUniqueJson } from '../../../protocol/genesis/file/unique-json.ts';
import { blobScheduleOf } from '../../../protocol/rules/l1-blob-fee/chain-config.ts';
import type { L1BlobSchedule } from '../../../protocol/rules/rules.ts';
import { Failure } from '../../../system/failure.ts';
import { readJson } from '../../../system/files/atomic-write.ts';

/**
 * Reads L1's blob schedule from its chain configuration (EIP-7840; geth: `BlobScheduleConfig`).
 * The configuration stands alone, or under `config` of a genesis file.
 */
export function loadBlobSchedule(path: string): L1BlobSchedule {
  const schedule = blobScheduleOf(readJson(path, { parse: parseUniqueJson }));
  if (schedule === undefined)
    throw new Failure('l1-chain-config', `${path} has no blobSchedule with the times of its forks`, { data: { path } });
  return schedule;
}
