import type { BlockId, Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client.ts';
import { Failure } from '../../system/failure.ts';

/** A call that is sent to L1. */
export interface L1Call {
  readonly to: Hex;
  readonly data: Uint8Array;
  /** For the log. */
  readonly what: string;
}

/** Contracts on L1 that take output roots. */
export interface ProposalTarget {
  /** The contract that the program was given. */
  readonly address: Hex;
  /** @throws Failure where the contract is missing or cannot be served */
  check(): Promise<void>;
  /** The only account whose proposals are taken. */
  proposer(): Promise<Hex>;
  /** Number of the L2 block to propose now, undefined for none. `head` is the newest block that may be proposed. */
  nextBlock(head: number): Promise<number | undefined>;
  /** The call that proposes an output. `l1` is an L1 block that the rollup node has seen. */
  proposal(outputRoot: Hex, l2BlockNumber: number, l1: BlockId): L1Call;
  /** A call that earlier proposals need now, undefined for none. */
  upkeep(): Promise<L1Call | undefined>;
}

/** @throws Failure where there is no contract at the address */
export async function mustHaveCode(rpc: RpcClient, address: Hex, what: string, option: string): Promise<void> {
  if ((await rpc.call<Hex>('eth_getCode', [address, 'latest'])) !== '0x') return;
  throw new Failure('no-contract', `there is no contract at ${address} on L1: expected the ${what}`, {
    data: { address },
    hint: `check --${option} and --l1-eth-rpc`,
  });
}
