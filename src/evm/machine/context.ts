import { hexToBytes } from '../../protocol/hex.ts';
import type { EvmInstance } from './instance.ts';
import type { EvmBlock, EvmContext } from './state.ts';

/** Stores what code reads of the block and of the transaction. @throws RangeError with too many blob hashes */
export function storeContext(instance: EvmInstance, level: number, context: EvmContext): void {
  const { block, origin, gasPrice, blobHashes } = context;
  if (instance.block !== block) storeBlock(instance, block);
  instance.setAddress(instance.layout.ORIGIN, origin);
  instance.setWord(instance.layout.GAS_PRICE, gasPrice);
  instance.setNumber(instance.layout.FRAME_LEVEL, level);
  const most = instance.layout.MAX_BLOB_HASHES;
  if (blobHashes.length > most)
    throw new RangeError(`a transaction has ${blobHashes.length} blob hashes, expected at most ${most}`);
  instance.setNumber(instance.layout.BLOB_HASH_COUNT, blobHashes.length);
  for (const [place, hash] of blobHashes.entries())
    instance.setWordBytes(instance.layout.BLOB_HASHES + 32 * place, hexToBytes(hash));
}

function storeBlock(instance: EvmInstance, block: EvmBlock): void {
  const words = {
    COINBASE: BigInt(block.coinbase),
    TIMESTAMP: block.timestamp,
    NUMBER: block.number,
    PREV_RANDAO: BigInt(block.prevRandao),
    GAS_LIMIT: block.gasLimit,
    CHAIN_ID: block.chainId,
    BASE_FEE: block.baseFee,
    BLOB_BASE_FEE: block.blobBaseFee,
  };
  for (const [name, value] of Object.entries(words)) instance.setWord(instance.at(name), value);
  instance.block = block;
}
