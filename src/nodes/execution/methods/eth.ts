import type { MethodTable } from '../../../rpc/method.ts';
import type { NodeContext, ReadContext } from './context.ts';
import { ethBlocks } from './eth-blocks.ts';
import { ethCall } from './eth-call.ts';
import { ethChain } from './eth-chain.ts';
import { ethFilters } from './eth-filters.ts';
import { ethLogs } from './eth-logs.ts';
import { ethSend } from './eth-send.ts';
import { ethState } from './eth-state.ts';
import { ethSubscribe } from './eth-subscribe.ts';

/** Methods of `eth` that read only the stored chain. */
export const ethReads: MethodTable<ReadContext> = { ...ethBlocks, ...ethState, ...ethCall, ...ethLogs };

/** Namespace `eth` (geth: `ethapi.GetAPIs`, reth: `EthApi`). */
export const eth: MethodTable<NodeContext> = {
  ...ethChain,
  ...ethReads,
  ...ethSend,
  ...ethFilters,
  ...ethSubscribe,
};
