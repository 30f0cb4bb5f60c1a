import type { MethodTable } from '../../../rpc/method.ts';
import type { NodeContext } from '../context.ts';
import { ethCall } from './eth-call.ts';
import { ethChain } from './eth-chain.ts';
import { ethLogs } from './eth-logs.ts';
import { ethSend } from './eth-send.ts';
import { ethState } from './eth-state.ts';
import { ethSubscribe } from './eth-subscribe.ts';

/** Namespace `eth`. */
export const eth: MethodTable<NodeContext> = {
  ...ethChain,
  ...ethState,
  ...ethCall,
  ...ethSend,
  ...ethLogs,
  ...ethSubscribe,
};
