import type { Hex, Withdrawal } from '../../../protocol/types.ts';
import type { BlockContext } from '../evm/evm-factory.ts';

/**
 * Header fields that are known before any transaction runs. geth calls it `environment` (miner/worker.go), revm
 * `BlockEnv`.
 */
export interface BlockEnvironment extends Omit<BlockContext, 'blockHash' | 'blobBaseFee' | 'coinbase'> {
  readonly parentHash: Hex;
  readonly feeRecipient: Hex;
  readonly extraData: Hex;
  readonly parentBeaconBlockRoot?: Hex;
  /** Plain Ethereum only: the header field that sets the blob base fee, and the withdrawals of the beacon chain. */
  readonly excessBlobGas?: bigint;
  readonly withdrawals?: readonly Withdrawal[];
}
