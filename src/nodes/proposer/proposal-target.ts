import type { BlockId, Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { Failure } from '../../system/failure.ts';

/** A call to a contract on L1. */
export interface L1Call {
  readonly to: Hex;
  readonly data: Uint8Array;
  /** For the log. */
  readonly what: string;
}

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
}

/** Checks that an address has code. @throws Failure if it has none */
export async function mustHaveCode(rpc: RpcClient, address: Hex, what: string, option: string): Promise<void> {
  if ((await rpc.call<Hex>('eth_getCode', [address, 'latest'])) !== '0x') return;
  throw new Failure('no-contract', `there is no contract at ${address} on L1: expected the ${what}`, {
    data: { address },
    hint: `check --${option} and --l1-eth-rpc`,
  });
}
