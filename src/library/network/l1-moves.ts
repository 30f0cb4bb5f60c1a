import { type HttpTransport, http } from 'viem';
import type { CallScope } from './test-scope.ts';

/** Methods that warp the network. */
const WARPS = /^(evm|anvil|hardhat)_(mine|increaseTime|setNextBlockTimestamp)$/;

/** Methods that change time or blocks of the whole network. A second call would change them again. */
const MOVES = /^(evm|anvil|hardhat)_(mine|increaseTime|setNextBlockTimestamp|revert|reorg|rollback)$/;

/** Time (ms) between two requests to end a warp that L1's node may not have begun yet. */
const AGAIN_MS = 100;

/** The calls of L1's test client within a scope. */
export interface L1Moves {
  readonly scope: CallScope;
  /** Ends the warp under way. */
  readonly endWarp: () => Promise<unknown>;
}

/**
 * Makes the transport of L1's test client. Its calls end with their scope, with the warps that they began.
 * A call that moves the network has no timeout of its own and is sent once.
 */
export function l1TestTransport(rpc: string, { scope, endWarp }: L1Moves): HttpTransport {
  return (config) => {
    const usual = http(rpc)(config);
    const once = http(rpc)({ ...config, retryCount: 0, timeout: 0 });
    const request: typeof usual.request = (call, options) =>
      scope.run(async (over) => {
        if (!MOVES.test(call.method)) return usual.request(call, options);
        const answer: Promise<never> = once.request(call, options);
        if (WARPS.test(call.method)) await endedWith(answer, over, endWarp);
        return answer;
      });
    return { ...usual, request };
  };
}

/** Resolves when a call has its answer. Ends its warp from when `over` is aborted. */
async function endedWith(answer: Promise<unknown>, over: AbortSignal, endWarp: () => Promise<unknown>): Promise<void> {
  let isAnswered = false;
  const answered = () => {
    isAnswered = true;
  };
  const done = answer.then(answered, answered);
  const end = async () => {
    while (!isAnswered) {
      await endWarp().catch(() => undefined);
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, AGAIN_MS))]);
    }
  };
  const begin = () => void end();
  over.addEventListener('abort', begin, { once: true });
  await done;
  over.removeEventListener('abort', begin);
}
