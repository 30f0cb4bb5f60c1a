import * as z from 'zod';
import type { BlockId, L1BlockRef } from '../../../protocol/types.ts';
import { httpClient } from '../../../rpc/client/http-client.ts';

/** The heads of a rollup node that is followed. */
export interface FollowedHeads {
  readonly safe: BlockId;
  readonly finalized: BlockId;
  /** The L1 block that its derivation has reached. */
  readonly currentL1: L1BlockRef;
}

/** A rollup node whose safe and finalized heads another one follows (op-node: `FollowClient`). */
export interface FollowSource {
  /** Its address, for messages. */
  readonly url: string;
  /** Returns its heads; undefined: it has not found them yet. */
  heads(signal: AbortSignal): Promise<FollowedHeads | undefined>;
}

/** Timeout (ms) of an answer. */
const TIMEOUT_MS = 5000;

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/i)]);
const id = z.object({ hash, number: z.int().nonnegative() });
const status = z.object({
  current_l1: id.extend({ parentHash: hash, timestamp: z.int().nonnegative() }),
  safe_l2: id,
  finalized_l2: id,
  /** Of a node with interop: the head before other chains are compared. */
  local_safe_l2: id.optional(),
});

const NO_BLOCK = /^0x0+$/;

/** Creates the client of a followed rollup node. It ends with the signal. Without an address no node is followed. */
export function followSource(url: string | undefined, signal: AbortSignal): FollowSource | undefined {
  if (url === undefined) return undefined;
  const client = httpClient({ url, timeoutMs: TIMEOUT_MS });
  signal.addEventListener('abort', () => client.close(), { once: true });
  return {
    url,
    async heads(ending) {
      const answer = status.parse(await client.call('optimism_syncStatus', [], { signal: ending }));
      const { current_l1: currentL1, local_safe_l2: localSafe, safe_l2: crossSafe, finalized_l2: finalized } = answer;
      if (NO_BLOCK.test(currentL1.hash)) return undefined;
      const safe = localSafe === undefined || NO_BLOCK.test(localSafe.hash) ? crossSafe : localSafe;
      return { safe, finalized, currentL1 };
    },
  };
}
