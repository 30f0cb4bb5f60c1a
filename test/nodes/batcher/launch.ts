import { BATCHER_OPTIONS } from '../../../src/nodes/batcher/options/options.ts';
import { type BatcherValues, type RunningBatcher, startBatcher } from '../../../src/nodes/batcher/service.ts';
import type { Account } from '../../../src/nodes/txmgr/account.ts';
import { parseOptions } from '../../../src/system/program/options.ts';
import { memoryLog } from './helpers.ts';

export type BatcherChanges = Partial<BatcherValues>;

const LINE = { name: 'batcher', version: 'test', summary: '', envPrefixes: [] };

/** Starts a batcher with default options, short intervals and `changes`. Its log lines go to `lines`. */
export async function launchBatcher(
  account: Account,
  changes: BatcherChanges,
  lines: string[] = [],
): Promise<RunningBatcher> {
  const values: BatcherValues = {
    ...parseOptions(LINE, BATCHER_OPTIONS, [], {}).values,
    subSafetyMargin: 0,
    pollInterval: 20,
    receiptQueryInterval: 50,
    resubmissionTimeout: 60_000,
    rpcPort: 0,
    enableAdmin: true,
    ...changes,
  };
  const batcher = await startBatcher(values, account, 'test', memoryLog(lines).log);
  batcher.failed.catch((error) => lines.push(String(error)));
  return batcher;
}
