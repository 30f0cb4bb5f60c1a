import { keccak256 } from '../../../../protocol/hash.ts';
import { hexToBytes } from '../../../../protocol/hex.ts';
import { present } from '../../../../protocol/present.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { L1Answer } from '../../../../system/channel/l1-requests.ts';
import type { ChainBlock } from '../../chain/chain.ts';
import type { FetchedBlock, L1Chain, ReorgPlace, ReorgRequest } from '../l1-chain.ts';
import type { Refusal } from '../pool/transaction.ts';
import { formInBlock, networkFormOf } from './engine-block.ts';
import type { BlockWish } from './engine-calls.ts';

/** A block that was made of transactions, and those that could not run in it. */
export interface MadeBlock {
  readonly made: FetchedBlock;
  readonly refused: readonly Refusal[];
}

/** What a reorganisation asks of L1. */
export interface Reorganiser extends Pick<L1Chain, 'block' | 'takeBack'> {
  /** Number of the newest final block. */
  finalized(): Promise<number>;
  /** Gives the client the blobs of a block's transactions. */
  giveSidecars(block: FetchedBlock): Promise<void>;
  /** Takes a transaction out of the pool. */
  drop(hash: string): Promise<void>;
  /** Makes a block of these transactions. Those that cannot run in it are left out and returned. */
  makeOf(hashes: readonly Hex[], networks: ReadonlyMap<Hex, Hex>, wish: BlockWish): Promise<MadeBlock>;
  mine(timestamp: number, feeRecipient: Hex): Promise<FetchedBlock>;
}

/**
 * Replaces the newest blocks of L1 by others in the same slots, as those of another proposer. The first new block has
 * the transactions of the old ones, and the others those of the pool.
 * @throws RpcError, TransportError
 */
export async function replaceEngineBlocks(
  l1: Reorganiser,
  { head }: ReorgPlace,
  { depth, drop, final }: ReorgRequest,
): Promise<L1Answer> {
  if (depth > head.number) return { kind: 'refused', why: { kind: 'depth', head: head.number } };
  const last = final ?? (await l1.finalized());
  const common = head.number - depth;
  if (common < last) return { kind: 'refused', why: { kind: 'final', head: head.number, final: last } };
  const old = await blocksAbove(l1, common, head.number);
  const networks = new Map<Hex, Hex>();
  for (const each of old)
    for (const transaction of each.block.transactions) {
      const network = networkFormOf(each, transaction);
      if (network !== undefined) networks.set(transaction.hash, network);
    }
  const unknown = drop.find((hash) => ![...networks.keys()].some((each) => each === hash));
  if (unknown !== undefined) return { kind: 'refused', why: { kind: 'transaction', hash: unknown } };
  const [first, ...others] = old;
  const { parentHash, timestamp } = present(first, 'block to replace').block;
  if (drop.length > 0) {
    // The client pools the transactions of blocks that are taken back.
    await l1.takeBack(present(first, 'block to replace'));
    for (const hash of drop) await l1.drop(hash);
  }
  const feeRecipient = feeRecipientAfter(head);
  const remaining = [...networks.keys()].filter((hash) => !drop.includes(hash));
  const { made, refused } = await l1.makeOf(remaining, networks, { parent: parentHash, timestamp, feeRecipient });
  let newest = made;
  for (const { block } of others) newest = await l1.mine(block.timestamp, feeRecipient);
  const { number, hash } = newest.block;
  return {
    kind: 'reorganised',
    common: { number: common, hash: parentHash },
    from: { number: head.number, hash: head.hash },
    to: { number, hash },
    sent: remaining.length,
    refused: refused.length,
  };
}

/**
 * Replaces the newest blocks of L1 by others in the same slots, each with these transactions and no others (anvil:
 * `anvil_reorg`). Transactions in their network form that cannot run are left out. Those of the old blocks wait in the
 * pool.
 * @throws RpcError, TransportError
 */
export async function makeOtherBlocks(
  l1: Reorganiser,
  head: ChainBlock,
  transactionsOf: readonly (readonly Hex[])[],
): Promise<void> {
  const old = await blocksAbove(l1, head.number - transactionsOf.length, head.number);
  let parent = present(old[0], 'block to replace').block.parentHash;
  for (const [at, { block }] of old.entries()) {
    const networks = new Map((transactionsOf[at] ?? []).map((network) => [hashOf(network), network]));
    const wish = { parent, timestamp: block.timestamp, feeRecipient: feeRecipientAfter(head) };
    parent = (await l1.makeOf([...networks.keys()], networks, wish)).made.block.hash;
  }
}

function hashOf(network: Hex): Hex {
  return keccak256(hexToBytes(formInBlock(network)));
}

/** It follows from the old head, so that no later reorganisation makes the same blocks again. */
function feeRecipientAfter(head: ChainBlock): Hex {
  return `0x${head.hash.slice(2, 42)}`;
}

/**
 * Reads the blocks that are taken back. Their transactions return to the client's pool, which takes none with blobs
 * without these: it keeps them in memory, and may have been restarted.
 */
export async function blocksAbove(
  l1: Pick<Reorganiser, 'block' | 'giveSidecars'>,
  common: number,
  head: number,
): Promise<FetchedBlock[]> {
  const blocks: FetchedBlock[] = [];
  for (let number = common + 1; number <= head; number++) {
    const block = present((await l1.block(number)) ?? undefined, `block ${number} of L1`);
    await l1.giveSidecars(block);
    blocks.push(block);
  }
  return blocks;
}
