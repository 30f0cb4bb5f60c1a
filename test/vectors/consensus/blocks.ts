import { BlockInvalid } from '../../../src/nodes/execution/block/errors.ts';
import type { Chain } from '../../../src/nodes/execution/chain/chain.ts';
import { openChain } from '../../../src/nodes/execution/chain/datadir.ts';
import { decodeBlock } from '../../../src/nodes/execution/chain/unexecuted-block.ts';
import { validateBlock } from '../../../src/nodes/execution/engine/validate.ts';
import { isProtocolError } from '../../../src/protocol/errors.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { Disagreement } from '../outcome.ts';
import { type BlockFixture, genesisOf } from './fixture.ts';
import { inFolder } from './folder.ts';

/** Imports the blocks of a test into a new chain. @throws Disagreement, NotApplicable */
export function runBlocks(fixture: BlockFixture): Promise<void> {
  return inFolder(genesisOf(fixture), async (genesis, datadir) => {
    const chain = openChain({ datadir, genesis, overrides: {}, executes: true, initialisesOnly: true });
    try {
      const { hash } = fixture.genesisBlockHeader;
      if (chain.genesisHash !== hash) throw new Disagreement(`genesis block ${chain.genesisHash}, published ${hash}`);
      for (const [index, { rlp, expectException }] of fixture.blocks.entries()) {
        const problem = await importBlock(chain, rlp);
        if ((problem === undefined) !== (expectException === undefined))
          throw new Disagreement(`block ${index}: ${problem ?? 'valid'}, published ${expectException ?? 'valid'}`);
      }
      if (chain.head.hash !== fixture.lastblockhash)
        throw new Disagreement(`the head is ${chain.head.hash}, published ${fixture.lastblockhash}`);
    } finally {
      chain.store.close();
    }
  });
}

/**
 * Imports a block. Returns the reason if it is invalid.
 * The state root of a block covers the whole state, so that the hash of the head is enough to compare.
 */
async function importBlock(chain: Chain, rlp: Hex): Promise<string | undefined> {
  try {
    const block = decodeBlock(hexToBytes(rlp));
    if (chain.header(block.header.parentHash) === undefined) return 'the parent is unknown';
    if (chain.header(block.hash) === undefined) await chain.insert(await validateBlock(chain, block));
    chain.makeCanonical(block.hash);
    return undefined;
  } catch (error) {
    if (error instanceof BlockInvalid || isProtocolError(error)) return error.message;
    throw error;
  }
}
