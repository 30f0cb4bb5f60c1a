import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { L1Answer, L1Refusal } from '../../../system/channel/l1-requests.ts';
import type { ChainBlock } from '../chain/chain.ts';
import type { FetchedBlock, L1Chain, ReorgPlace, ReorgRequest } from './l1-chain.ts';
import { type PooledTransaction, readPool, sendPool } from './pool/pool.ts';

/** What a reorganisation of anvil works on. */
export interface ReorgParts extends ReorgPlace {
  readonly rpc: RpcClient;
  readonly anvil: Pick<L1Chain, 'block' | 'setNextBaseFee' | 'orderPool' | 'mine'>;
}

/**
 * Replaces the newest blocks of L1 by others in the same slots, as those of another proposer.
 * The transactions of the old blocks and those of the pool are sent again, so that the first new block has them.
 * @throws RpcError, TransportError
 */
export async function replaceBlocks(parts: ReorgParts, request: ReorgRequest): Promise<L1Answer> {
  const { rpc, anvil, head } = parts;
  const { depth, drop } = request;
  const why = await refusal(parts, request);
  if (why !== undefined) return { kind: 'refused', why };
  const common = head.number - depth;
  const old: FetchedBlock[] = [];
  for (let number = common + 1; number <= head.number; number++) old.push(await blockAt(anvil, number));
  const transactions = old.flatMap(pooled);
  const unknown = drop.find((hash) => transactions.every((each) => each.hash !== hash));
  if (unknown !== undefined) return { kind: 'refused', why: { kind: 'transaction', hash: unknown } };
  const waiting = await readPool(rpc);
  try {
    await rpc.call('anvil_rollback', [depth]);
  } catch (error) {
    if (error instanceof RpcError && lacksState(error)) return { kind: 'refused', why: { kind: 'state' } };
    throw error;
  }
  await rpc.call('anvil_dropAllTransactions');
  await anvil.setNextBaseFee(common);
  const remaining = transactions.filter(({ hash }) => !drop.includes(hash));
  const refused = await sendPool(rpc, [...remaining, ...waiting]);
  const newest = await makeOthers(parts, old);
  const name = ({ number, hash }: Pick<ChainBlock, 'number' | 'hash'>) => ({ number, hash });
  return {
    kind: 'reorganised',
    common: { number: common, hash: old[0]?.block.parentHash ?? '' },
    from: name(head),
    to: name(newest.block),
    sent: remaining.length,
    refused: refused.length,
  };
}

/** Whether L1 refused to go back because it no longer has that state. */
export function lacksState({ message }: RpcError): boolean {
  return message.includes('Required data unavailable');
}

async function refusal({ rpc, head }: ReorgParts, { depth, final }: ReorgRequest): Promise<L1Refusal | undefined> {
  if (depth > head.number) return { kind: 'depth', head: head.number };
  const last = final ?? Number((await rpc.call<{ number: Hex }>('eth_getBlockByNumber', ['finalized', false])).number);
  return head.number - depth < last ? { kind: 'final', head: head.number, final: last } : undefined;
}

/** Makes a block in the slot of each old one. The address of their fees makes their hashes others. */
async function makeOthers(
  { rpc, anvil, head, order }: ReorgParts,
  old: readonly FetchedBlock[],
): Promise<FetchedBlock> {
  const usual = await rpc.call<Hex>('eth_coinbase');
  // It follows from the old head, so that no later reorganisation makes the same blocks again.
  await rpc.call('anvil_setCoinbase', [head.hash.slice(0, 42)]);
  try {
    if (order === 'sender') await anvil.orderPool();
    let newest: FetchedBlock | undefined;
    for (const { block } of old) newest = await anvil.mine(block.timestamp);
    if (newest === undefined) throw new Error('expected at least one block to replace');
    return newest;
  } finally {
    await rpc.call('anvil_setCoinbase', [usual]);
  }
}

async function blockAt(anvil: ReorgParts['anvil'], number: number): Promise<FetchedBlock> {
  const block = await anvil.block(number);
  if (block === null) throw new Error(`L1 has no block ${number}`);
  return block;
}

/** Returns the transactions of a block with their network forms. */
function pooled({ block, blobTransactions }: FetchedBlock): readonly PooledTransaction[] {
  return block.transactions.map((transaction) => {
    const blobs = blobTransactions.get(transaction.hash);
    return blobs === undefined ? transaction : { ...transaction, raw: bytesToHex(blobs) };
  });
}
