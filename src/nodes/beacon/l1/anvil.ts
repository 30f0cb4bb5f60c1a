import { quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { httpClient } from '../../../rpc/client/http-client.ts';
import { webSocketClient } from '../../../rpc/client/websocket-client.ts';
import type { PoolFaultMatch } from '../../../system/channel/l1-requests.ts';
import type { StateChange } from '../chain/block.ts';
import { anvilCheckpoint } from './anvil-checkpoint.ts';
import { setNextBaseFee } from './base-fee.ts';
import { restoreBlockHashes } from './block-hashes.ts';
import { fetchBlock, type RpcBlock } from './fetched-block.ts';
import type { FetchedBlock, L1Chain } from './l1-chain.ts';
import { checkPool } from './pool/pool-check.ts';
import { anvilPoolEdits, PoolFaults } from './pool/pool-faults.ts';
import { orderPool } from './pool/pool-order.ts';
import { replaceBlocks } from './reorg.ts';
import { replaying } from './replay.ts';
import { openSavedState } from './saved-state.ts';

/** Where anvil listens, and the files of its state. */
export interface AnvilPlace {
  readonly l1: string;
  /** File for the state of L1 that the next anvil loads; absent: one in the data folder. */
  readonly stateFile?: string | undefined;
  readonly datadir: string;
}

/** What anvil's L1 tells. */
export interface AnvilListeners {
  /** Its connection has ended. */
  disconnected(error: Error): void;
  /** A fault of its pool has met a transaction. */
  poolFaultMet(match: PoolFaultMatch): void;
}

/** Creates the calls to anvil over its RPC. */
export function anvil({ l1, stateFile, datadir }: AnvilPlace, { disconnected, poolFaultMet }: AnvilListeners): L1Chain {
  const rpc = l1.startsWith('ws') ? webSocketClient({ url: l1, onEnd: disconnected }) : httpClient({ url: l1 });
  // A WebSocket client would have to mask the bytes of whole states one by one.
  const states = httpClient({ url: l1.replace(/^ws/, 'http') });
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

  const calls = {
    chainId: async () => Number(await rpc.call<Hex>('eth_chainId')),
    instance: async () => (await rpc.call<{ instanceId: string }>('anvil_metadata')).instanceId,
    head: async () => Number(await rpc.call<Hex>('eth_blockNumber')),
    headHash: () => hashAt('latest'),
    hash: (number: number) => hashAt(quantity(number)),
    async block(number: number) {
      const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', [quantity(number), true]);
      return block && fetched(block);
    },
    async change({ method, params }: StateChange) {
      await rpc.call(method, params);
    },
    restoreBlockHashes: () => restoreBlockHashes(rpc),
    setNextBaseFee: (number: number) => setNextBaseFee(rpc, number),
    checkPool: () => checkPool(rpc),
    orderPool: () => orderPool(rpc),
    mine,
    ...replaying(rpc, mine, () => last),
  };
  return {
    ...calls,
    faults: new PoolFaults(rpc, anvilPoolEdits(rpc), poolFaultMet),
    stateFile: openSavedState(stateFile ?? `${datadir}/l1-state.json`, datadir, rpc, states),
    replaceBlocks: (place, request) => replaceBlocks({ rpc, anvil: calls, ...place }, request),
    checkpoint: ({ number }) => anvilCheckpoint(rpc, number),
    close() {
      rpc.close();
      states.close();
    },
  };
}
