import { present } from '../../../../protocol/present.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { L1Answer } from '../../../../system/channel/l1-requests.ts';
import type { FetchedBlock, L1Chain, ReorgPlace, ReorgRequest } from '../l1-chain.ts';
import type { Refusal } from '../pool/transaction.ts';
import { networkFormOf } from './engine-block.ts';
import type { BlockWish } from './engine-calls.ts';

/** A block that was made of transactions, and those that could not run in it. */
export interface MadeBlock {
  readonly made: FetchedBlock;
  readonly refused: readonly Refusal[];
}

/** What a reorganisation asks of L1. */
interface Reorganiser extends Pick<L1Chain, 'block'> {
  /** Number of the newest final block. */
  finalized(): Promise<number>;
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
  const old: FetchedBlock[] = [];
  for (let number = common + 1; number <= head.number; number++)
    old.push(present((await l1.block(number)) ?? undefined, `block ${number} of L1`));
  const networks = new Map<Hex, Hex>();
  for (const each of old)
    for (const transaction of each.block.transactions) {
      const network = networkFormOf(each, transaction);
      if (network !== undefined) networks.set(transaction.hash, network);
    }
  if (drop.length > 0)
    throw new Error('a reorganisation of an execution client drops no transactions: use `client: anvil` for L1');
  const [first, ...others] = old.map(({ block }) => block);
  const { parentHash, timestamp } = present(first, 'block to replace');
  // It follows from the old head, so that no later reorganisation makes the same blocks again.
  const feeRecipient: Hex = `0x${head.hash.slice(2, 42)}`;
  const remaining = [...networks.keys()];
  const { made, refused } = await l1.makeOf(remaining, networks, { parent: parentHash, timestamp, feeRecipient });
  let newest = made;
  for (const block of others) newest = await l1.mine(block.timestamp, feeRecipient);
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
