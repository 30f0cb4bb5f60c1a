import type { Hex } from '../../../../protocol/types.ts';

/** A transaction as JSON-RPC shows it. */
export interface RpcTransaction {
  readonly hash: Hex;
  readonly type: Hex;
  readonly from: Hex;
  readonly r?: Hex;
  readonly s?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly blobVersionedHashes?: readonly Hex[];
  readonly [field: string]: unknown;
}

/** A transaction that anvil rejected. */
export interface Refusal {
  readonly hash: Hex;
  readonly reason: string;
}
