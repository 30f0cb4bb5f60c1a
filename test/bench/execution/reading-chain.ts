import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openChain } from '../../../src/nodes/execution/chain/datadir.ts';
import { genesisText, upTo } from '../../nodes/execution/support/genesis.ts';
import { nextBlock } from './next-block.ts';
import { type Sender, workloadAlloc } from './workload.ts';

/** Later forks limit a block by its data-availability footprint before its gas. */
export const schedule = upTo('isthmus');
/** Transactions of the last block, which is read whole and traced. */
export const LAST = 300;

/** Writes a genesis file and a datadir with `blocks` blocks: one token transfer in each, many in the last. */
export async function writeChain(folder: string, datadir: string, blocks: number, sender: Sender): Promise<void> {
  const genesis = join(folder, 'genesis.json');
  const alloc = Object.entries(workloadAlloc()).map(([address, account]) => [address, { balance: '0x0', ...account }]);
  writeFileSync(genesis, genesisText(schedule, Object.fromEntries(alloc)));
  const chain = openChain({ datadir, genesis, overrides: {} });
  try {
    for (let number = 1; number <= blocks; number++) {
      const executor = await nextBlock(chain);
      for (let count = number === blocks ? LAST : 1; count > 0; count--)
        await executor.run(sender.token(number * 1000 + count));
      const executed = await executor.seal();
      await chain.insert(executed);
      chain.makeCanonical(executed.hash, {});
    }
  } finally {
    chain.store.close();
  }
}
