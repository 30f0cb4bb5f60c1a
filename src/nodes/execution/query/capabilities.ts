import { quantity } from '../../../protocol/hex.ts';
import type { Chain } from '../chain/chain.ts';

/**
 * Returns the oldest block of each kind of data, and the window of a pruning node.
 * Source: execution-apis, `eth_capabilities` (geth: `BlockChainAPI.Capabilities`).
 */
export function capabilities({ head, stateRetention }: Pick<Chain, 'head' | 'stateRetention'>) {
  const all = { disabled: false, oldestBlock: '0x0' };
  const state = stateRetention === undefined ? all : windowOf(stateRetention.blocks, head.header.number);
  return {
    head: { number: quantity(head.header.number), hash: head.hash },
    state,
    tx: all,
    logs: all,
    receipts: all,
    blocks: all,
    stateproofs: state,
  };
}

function windowOf(blocks: number, head: number) {
  return {
    disabled: false,
    oldestBlock: quantity(Math.max(0, head + 1 - blocks)),
    deleteStrategy: { type: 'window', retentionBlocks: quantity(blocks) },
  };
}
