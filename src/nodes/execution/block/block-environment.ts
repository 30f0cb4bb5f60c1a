import type { Hex, Withdrawal } from '../../../protocol/types.ts';
import type { BlockContext } from '../evm/evm-factory.ts';

/** The parts of a header that are known before any transaction runs. */
export interface BlockEnvironment extends Omit<BlockContext, 'blockHash' | 'blobBaseFee' | 'coinbase'> {
  readonly parentHash: Hex;
  readonly feeRecipient: Hex;
  readonly extraData: Hex;
  readonly parentBeaconBlockRoot?: Hex;
  /** Of Ethereum itself: header field, from which the price of blobs follows, and the beacon chain's withdrawals. */
  readonly excessBlobGas?: bigint;
  readonly withdrawals?: readonly Withdrawal[];
}
