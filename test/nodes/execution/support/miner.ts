import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { Driver, l1Info } from './driver.ts';
import type { TestNode } from './nodes.ts';

/** Milliseconds between blocks. */
const BLOCK_PERIOD_MS = 40;

/** Builds blocks until stopped, as a sequencer with very short block times. */
export function produceBlocks(node: TestNode, schedule: ForkSchedule): { stop(): Promise<void> } {
  const driver = new Driver(node.engine, schedule);
  let running = true;
  const produced = (async () => {
    while (running) {
      const head = await node.rpc.call<{ hash: Hex; number: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
        'latest',
        false,
      ]);
      const until = () => new Promise<void>((resolve) => setTimeout(resolve, BLOCK_PERIOD_MS));
      await driver.build(head.hash, Number(head.timestamp) + 2, [l1Info(Number(head.number) + 1)], { until });
    }
  })();
  return {
    async stop() {
      running = false;
      await produced;
    },
  };
}
