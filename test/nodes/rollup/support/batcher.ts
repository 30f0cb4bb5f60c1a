import { BATCHER_OPTIONS } from '../../../../src/nodes/batcher/options/options.ts';
import { type BatcherValues, type RunningBatcher, startBatcher } from '../../../../src/nodes/batcher/service.ts';
import { accountOf } from '../../../../src/nodes/txmgr/account.ts';
import { roleAccounts } from '../../../../src/protocol/genesis/index.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import { parseOptions } from '../../../../src/system/program/options.ts';
import { contracts } from '../../../protocol/genesis/inputs.ts';
import type { TestDevnet } from './devnet.ts';
import { silent } from './scripted.ts';

const LINE = { name: 'batcher', version: 'test', summary: '', envPrefixes: [] };

/**
 * Starts the real batcher of a test devnet with a short poll interval. `l2`: URL of the sequencer's execution client.
 */
export function devnetBatcher(
  devnet: TestDevnet,
  l2: string,
  rollupPort: number,
  changes: Partial<BatcherValues>,
): Promise<RunningBatcher> {
  const values: BatcherValues = {
    ...parseOptions(LINE, BATCHER_OPTIONS, [], {}).values,
    l1: devnet.l1Url,
    l2,
    rollup: `http://127.0.0.1:${rollupPort}`,
    subSafetyMargin: 0,
    pollInterval: 20,
    receiptQueryInterval: 50,
    rpcPort: 0,
    ...changes,
  };
  const { privateKey } = roleAccounts(devnet.inputs.chainId, contracts).batcher;
  return startBatcher(values, accountOf(hexToBytes(privateKey)), 'test', silent);
}
