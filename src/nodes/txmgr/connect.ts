import { type RpcClient, TransportError } from '../../rpc/client/client.ts';
import { httpClient } from '../../rpc/client/http-client.ts';
import { webSocketClient } from '../../rpc/client/websocket-client.ts';
import { RpcError } from '../../rpc/error.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import { backoff } from '../../system/time/backoff.ts';
import { pause } from '../../system/time/pause.ts';

/** Creates a JSON-RPC client by the URL's scheme (op-service: `NewRPC`). `timeoutMs` limits each request. */
export function dialRpc(url: string, timeoutMs: number): RpcClient {
  return (url.startsWith('ws') ? webSocketClient : httpClient)({ url, timeoutMs });
}

/** First and longest pause between attempts to reach a node, ms. */
const FIRST_WAIT_MS = 20;
const MAX_WAIT_MS = 250;

/**
 * Repeats a request until it is answered: programs of a network start in any order. Returns undefined when aborted.
 * Counterpart in op-service: `dialRPCClientWithBackoff`.
 */
export async function retryUntilAnswered<Result>(
  what: string,
  ask: () => Promise<Result>,
  log: Logger,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const pauses = backoff(FIRST_WAIT_MS, MAX_WAIT_MS);
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof RpcError)) throw error;
      if (attempt % 40 === 0) log.warn('Still waiting', { for: what, error });
    }
    await pause(pauses.next(), signal);
  }
  return undefined;
}

/**
 * Checks that a node serves the chain of the rollup's configuration (op-node: `CheckL1ChainID`, `CheckL2ChainID`).
 * @throws Failure `stranger`
 */
export function checkChainId(what: string, url: string, actual: number, expected: number): void {
  if (actual === expected) return;
  throw new Failure('stranger', `${what} at ${url} has chain id ${actual}, expected ${expected} by the rollup node`, {
    data: { url, found: actual, expected },
    hint: 'another network answers there: check the endpoints',
  });
}
