import { u256be } from '../../protocol/bytes.ts';
import { hexToSized } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { calldata, mustHaveCode, view } from '../games/abi.ts';
import type { ProposalTarget } from './proposal-target.ts';

/** Outputs in flight while it catches up. Pools take at least 16 transactions of an account (geth: `AccountSlots`). */
const AT_ONCE = 16;

/**
 * Proposes to an L2OutputOracle, which accepts the output of every n-th block in order.
 * Counterparts in op-proposer: `FetchL2OOOutput`, `ProposeL2OutputTxData`.
 */
export function outputOracle(rpc: RpcClient, address: Hex): ProposalTarget {
  /** L2 blocks between two outputs. */
  let interval: number | undefined;
  return {
    address,
    check: () => mustHaveCode(rpc, address, 'L2OutputOracle', 'l2oo-address'),
    proposer: async () => (await view(rpc, address, 'proposer()')).address(0),
    async nextBlocks(head) {
      const next = (await view(rpc, address, 'nextBlockNumber()')).number(0);
      if (head < next) return [];
      interval ??= (await view(rpc, address, 'SUBMISSION_INTERVAL()')).number(0);
      const every = interval;
      const count = Math.min(AT_ONCE, 1 + Math.floor((head - next) / every));
      return Array.from({ length: count }, (_, index) => next + index * every);
    },
    // The L1 block makes the call revert on another fork of L1.
    proposal: (outputRoot, l2BlockNumber, l1) => ({
      to: address,
      data: calldata(
        'proposeL2Output(bytes32,uint256,bytes32,uint256)',
        hexToSized(outputRoot, 32),
        u256be(l2BlockNumber),
        hexToSized(l1.hash, 32),
        u256be(l1.number),
      ),
      what: `the output of block ${l2BlockNumber}`,
    }),
    upkeep: () => Promise.resolve(undefined),
    areGames: false,
  };
}
