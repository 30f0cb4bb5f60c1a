import { hexToBytes } from '../../protocol/hex.ts';
import type { EvmInstance } from './instance.ts';
import type { EvmContext } from './state.ts';

/** Stores what code reads of the block and of the transaction. @throws RangeError with too many blob hashes */
export function storeContext(instance: EvmInstance, level: number, context: EvmContext): void {
  const words = {
    ORIGIN: BigInt(context.origin),
    GAS_PRICE: context.gasPrice,
    COINBASE: BigInt(context.coinbase),
    TIMESTAMP: context.timestamp,
    NUMBER: context.number,
    PREV_RANDAO: BigInt(context.prevRandao),
    GAS_LIMIT: context.gasLimit,
    CHAIN_ID: context.chainId,
    BASE_FEE: context.baseFee,
    BLOB_BASE_FEE: context.blobBaseFee,
  };
  for (const [name, value] of Object.entries(words)) instance.setWord(instance.at(name), value);
  instance.setNumber(instance.at('FRAME_LEVEL'), level);
  const most = instance.at('MAX_BLOB_HASHES');
  if (context.blobHashes.length > most)
    throw new RangeError(`a transaction has ${context.blobHashes.length} blob hashes, expected at most ${most}`);
  instance.setNumber(instance.at('BLOB_HASH_COUNT'), context.blobHashes.length);
  for (const [place, hash] of context.blobHashes.entries())
    instance.setWordBytes(instance.at('BLOB_HASHES') + 32 * place, hexToBytes(hash));
}
