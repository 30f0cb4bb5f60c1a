import { quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { setNextBaseFee } from './base-fee.ts';

interface Header {
  readonly hash: Hex;
  readonly number: Hex;
  readonly gasLimit: Hex;
  readonly timestamp: Hex;
}

/** Creation code that returns BLOCKHASH(NUMBER - 1). */
const PARENT_HASH = '0x6001430340' + '5f5260205ff3';

/** Gas limit of a block that no transaction fits into, so that the pool keeps all of them. No other block has it. */
const NO_GAS = '0x0';

/**
 * Seconds of that block after the head. A rollup node without the gate may see it for some milliseconds, and know it
 * until the next slot. It is never an L1 origin, because no L2 block has a time that is not before its own.
 */
const FAR_AHEAD_SECONDS = 2 ** 32;

/**
 * Gives anvil the hashes of the last 256 blocks, which contracts read by BLOCKHASH.
 * After it has loaded a state (`--load-state`), contracts read other hashes. A rollback takes them from the blocks, but
 * its target must have a child. So an empty block is made and rolled back.
 * Returns whether a block was rolled back: readers may know it then, and L1 has not announced its head.
 * @throws RpcError, TransportError
 */
export async function restoreBlockHashes(rpc: RpcClient): Promise<boolean> {
  let head = await headerOf(rpc, 'latest');
  const isLeft = Number(head.number) > 0 && head.gasLimit === NO_GAS;
  if (isLeft) {
    // A beacon was killed in between.
    await rpc.call('anvil_rollback', [1]);
    head = await headerOf(rpc, 'latest');
    await setNextBaseFee(rpc, Number(head.number));
  }
  if (Number(head.number) === 0 || (await rpc.call<Hex>('eth_call', [{ data: PARENT_HASH }, 'pending'])) === head.hash)
    return isLeft;
  // A block that came in between gives another hash, too.
  if ((await headerOf(rpc, 'latest')).hash !== head.hash) return (await restoreBlockHashes(rpc)) || isLeft;
  const { gasLimit } = await headerOf(rpc, 'pending');
  await rpc.call('evm_setBlockGasLimit', [NO_GAS]);
  await rpc.call('evm_mine_detailed', [{ timestamp: quantity(Number(head.timestamp) + FAR_AHEAD_SECONDS) }]);
  await rpc.call('anvil_rollback', [1]);
  await rpc.call('evm_setBlockGasLimit', [gasLimit === NO_GAS ? head.gasLimit : gasLimit]);
  await setNextBaseFee(rpc, Number(head.number));
  return true;
}

function headerOf(rpc: RpcClient, block: 'latest' | 'pending'): Promise<Header> {
  return rpc.call<Header>('eth_getBlockByNumber', [block, false]);
}
