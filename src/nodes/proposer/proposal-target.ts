import type { BlockId, Hex } from '../../protocol/types.ts';
import type { L1Call } from '../txmgr/calls.ts';

/** The contract on L1 that receives proposals (op-proposer: `L2OOContract`, `DGFContract`). */
export interface ProposalTarget {
  /** Address that the options name. */
  readonly address: Hex;
  /** @throws Failure if the contract is missing or not supported */
  check(): Promise<void>;
  /** Returns the only account that may propose. */
  proposer(): Promise<Hex>;
  /**
   * Returns the L2 blocks to propose now, in their order: several after an outage. `head` is the newest block that may
   * be proposed.
   */
  nextBlocks(head: number): Promise<readonly number[]>;
  /** Returns the call that proposes an output. `l1` is an L1 block that the rollup node has read. */
  proposal(outputRoot: Hex, l2BlockNumber: number, l1: BlockId): L1Call;
  /** Returns a call that earlier proposals need now, undefined for none. */
  upkeep(): Promise<L1Call | undefined>;
  /** Whether outputs are dispute games. */
  readonly areGames: boolean;
}
