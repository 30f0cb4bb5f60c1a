import { quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import type { Anvil, FetchedBlock } from './anvil-types.ts';
import { setNextBaseFee } from './base-fee.ts';
import { restoreBlockHashes } from './block-hashes.ts';
import { fetchBlock, type RpcBlock } from './fetched-block.ts';
import { checkPool } from './pool/pool-check.ts';
import { orderPool } from './pool/pool-order.ts';
import { replaying } from './replay.ts';

/** Creates the calls to anvil over its RPC. */
export function anvil(rpc: RpcClient): Anvil {
  let last: { gasLimit: Hex; miner: Hex } | undefined;

  async function fetched(block: RpcBlock): Promise<FetchedBlock> {
    const { gasLimit, miner } = block;
    const result = await fetchBlock(rpc, block);
    last = { gasLimit, miner };
    return result;
  }

  async function hashAt(block: string): Promise<Hex | undefined> {
    return (await rpc.call<{ hash: Hex } | null>('eth_getBlockByNumber', [block, false]))?.hash;
  }

  async function mine(timestamp: number): Promise<FetchedBlock> {
    const [block] = await rpc.call<RpcBlock[]>('evm_mine_detailed', [{ timestamp: quantity(timestamp) }]);
    if (block === undefined) throw new Error('anvil mined no block');
    return fetched(block);
  }

  return {
    chainId: async () => Number(await rpc.call<Hex>('eth_chainId')),
    instance: async () => (await rpc.call<{ instanceId: string }>('anvil_metadata')).instanceId,
    head: async () => Number(await rpc.call<Hex>('eth_blockNumber')),
    headHash: () => hashAt('latest'),
    hash: (number) => hashAt(quantity(number)),
    async block(number) {
      const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', [quantity(number), true]);
      return block && fetched(block);
    },
    async change({ method, params }) {
      await rpc.call(method, params);
    },
    restoreBlockHashes: () => restoreBlockHashes(rpc),
    setNextBaseFee: (number) => setNextBaseFee(rpc, number),
    checkPool: () => checkPool(rpc),
    orderPool: () => orderPool(rpc),
    mine,
    ...replaying(rpc, mine, () => last),
  };
}
