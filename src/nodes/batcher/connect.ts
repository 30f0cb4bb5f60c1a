import type { Rollup } from '../../protocol/derivation/ports.ts';
import { sameHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import { checkChainId, retryUntilAnswered } from '../txmgr/connect.ts';
import { fetchRollup } from './source.ts';

/** The nodes that a batcher uses, and their URLs. */
export interface Nodes {
  readonly l1: RpcClient;
  readonly l2: RpcClient;
  readonly node: RpcClient;
  readonly l1Url: string;
  readonly l2Url: string;
}

/**
 * Waits for the three nodes and checks that they belong to one network (op-batcher: `initRollupConfig`).
 * Undefined when aborted. @throws Failure `stranger`
 */
export async function connect(
  nodes: Nodes,
  address: Hex,
  log: Logger,
  signal: AbortSignal,
): Promise<Rollup | undefined> {
  const chainId = async (client: RpcClient) => Number(await client.call<string>('eth_chainId'));
  const [rollup, l1Chain, l2Chain] = await Promise.all([
    retryUntilAnswered('the rollup node', () => fetchRollup(nodes.node), log, signal),
    retryUntilAnswered('L1', () => chainId(nodes.l1), log, signal),
    retryUntilAnswered('the execution client', () => chainId(nodes.l2), log, signal),
  ]);
  if (rollup === undefined || l1Chain === undefined || l2Chain === undefined) return undefined;
  checkChainId('L1', nodes.l1Url, l1Chain, rollup.config.l1_chain_id);
  checkChainId('the execution client', nodes.l2Url, l2Chain, rollup.config.l2_chain_id);
  const { batcherAddr: expected } = rollup.config.genesis.system_config;
  if (!sameHex(expected, address))
    log.warn(
      'The key is not the batcher of the genesis system config: unless it was changed on L1, nothing is derived',
      { address, expected },
    );
  return rollup;
}

/** Checks the safety margin. @throws Failure `usage` if it leaves a channel no time */
export function checkMargin({ config }: Rollup, margin: number): void {
  if (margin < config.seq_window_size) return;
  throw new Failure(
    'usage',
    `batcher: --sub-safety-margin is ${margin}: expected less than the sequencing window of ${config.seq_window_size}`,
    { exit: EXIT.usage, data: { margin, window: config.seq_window_size }, hint: 'give a smaller margin' },
  );
}
