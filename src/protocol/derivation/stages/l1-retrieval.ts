import type { L1Header, SystemConfig } from '../../types.ts';
import type { Ports, Rollup } from '../ports.ts';
import { type BatcherInput, readBatcherData } from './blob-calldata-source.ts';
import type { HasOrigin, Pulled } from './stage.ts';

/** The part of L1 traversal that L1 retrieval calls (op-node: `NextBlockProvider`, kona: `L1RetrievalProvider`). */
export interface L1BlockProvider extends HasOrigin {
  systemConfig(): SystemConfig;
  nextL1Block(): L1Header | 'eof';
}

/**
 * Stage 2: the data of the batcher's transactions (op-node, kona: `L1Retrieval`).
 * It comes in one piece per transaction or blob (specification: L1 Retrieval).
 */
export interface L1Retrieval extends HasOrigin {
  nextData(): Promise<Pulled<Uint8Array>>;
  reset(): void;
}

/** Creates L1 retrieval above L1 traversal. */
export function createL1Retrieval(
  rollup: Rollup,
  ports: Pick<Ports, 'l1' | 'log'>,
  below: L1BlockProvider,
): L1Retrieval {
  let unread: L1Header | null = null;
  let data: BatcherInput[] = [];

  return {
    origin: () => below.origin(),
    async nextData() {
      if (data.length === 0) {
        if (unread === null) {
          const block = below.nextL1Block();
          if (block === 'eof') return 'eof';
          unread = block;
        }
        data = await readBatcherData(rollup, ports, unread, below.systemConfig().batcherAddr);
        unread = null;
      }
      return data.shift()?.data ?? 'eof';
    },
    reset() {
      unread = null;
      data = [];
    },
  };
}
