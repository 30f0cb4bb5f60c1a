import * as z from 'zod';
import type { Hex } from '../../../src/protocol/types.ts';
import { method } from '../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../src/rpc/server/server.ts';

/** The output root of a block. */
export const rootOf = (block: number): Hex => `0x${block.toString(16).padStart(64, 'a')}`;

/** A rollup node whose heads the test sets. */
export interface Heads {
  safe: number;
  finalized: number;
  currentL1: { hash: Hex; number: number; timestamp?: number };
  /** Requests for the sync status so far. */
  polls?: number;
}

/** Serves the methods that a proposer calls. */
export async function serveNode(heads: Heads): Promise<RunningServer> {
  const status = () => ({
    current_l1: heads.currentL1,
    head_l1: heads.currentL1,
    unsafe_l2: { number: heads.safe, hash: rootOf(heads.safe) },
    safe_l2: { number: heads.safe, hash: rootOf(heads.safe) },
    finalized_l2: { number: heads.finalized, hash: rootOf(heads.finalized) },
  });
  const methods = {
    optimism_syncStatus: method('', z.tuple([]), () => {
      heads.polls = (heads.polls ?? 0) + 1;
      return status();
    }),
    optimism_outputAtBlock: method('', z.tuple([z.string()]), (_: undefined, [number]) => ({
      version: `0x${'00'.repeat(32)}`,
      outputRoot: rootOf(Number(number)),
      blockRef: { number: Number(number) },
      syncStatus: status(),
    })),
  };
  return serve({ host: '127.0.0.1', port: 0, http: true, websocket: false, methods, context: undefined });
}
