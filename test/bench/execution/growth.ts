import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openChain } from '../../../src/nodes/execution/chain/datadir.ts';
import { genesisText, upTo } from '../../nodes/execution/support/genesis.ts';
import { temporaryFolder } from '../../nodes/execution/support/nodes.ts';
import { nextBlock } from './next-block.ts';
import { Sender, workloadAlloc } from './workload.ts';

const SLICES = 10;

/** Returns the bytes of live objects after garbage collection (`--expose-gc`). Without it: the bytes of the heap. */
function heap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

/** Returns the milliseconds of processor time so far. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures root, flush and memory of a chain that grows by `perBlock` accounts, slots and logs a block.
 * Two transactions make them, so that growth is most of the work.
 */
export async function growth(blocks: number, perBlock: number): Promise<void> {
  const folder = temporaryFolder();
  const genesis = join(folder, 'genesis.json');
  writeFileSync(genesis, genesisText(upTo('isthmus'), workloadAlloc()));
  const chain = openChain({ datadir: join(folder, 'data'), genesis, overrides: {} });
  const sender = new Sender();
  console.log(`\na chain of ${blocks} blocks, each with ${perBlock} new accounts, slots and log topics (goal: flat)`);
  console.log('    blocks   execute      root     flush      heap       RSS  database   (processor time per block)');
  try {
    for (let slice = 1; slice <= SLICES; slice++) {
      const costs = { execute: 0, root: 0, flush: 0 };
      const until = Math.round((blocks * slice) / SLICES);
      const from = chain.head.header.number;
      for (let number = from + 1; number <= until; number++) {
        const first = number * perBlock;
        const raw = [sender.accounts(first, perBlock), sender.slots(first, perBlock)];
        let began = processorTime();
        const lap = (name: keyof typeof costs) => {
          const now = processorTime();
          costs[name] += now - began;
          began = now;
        };
        const executor = await nextBlock(chain);
        for (const one of raw) await executor.run(one);
        lap('execute');
        const executed = await executor.seal();
        if (executed.receipts.some(({ status }) => !status)) throw new Error(`a transaction of block ${number} fails`);
        lap('root');
        await chain.insert(executed);
        chain.makeCanonical(executed.hash, {});
        lap('flush');
      }
      const each = (ms: number) => `${(ms / (until - from)).toFixed(2)} ms`.padStart(10);
      const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`.padStart(10);
      const size = statSync(join(folder, 'data', 'chain.db')).size;
      console.log(
        `${String(until).padStart(10)}${each(costs.execute)}${each(costs.root)}${each(costs.flush)}${mb(heap())}${mb(process.memoryUsage().rss)}${mb(size)}`,
      );
    }
  } finally {
    chain.store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
