import { quantity } from '../../../protocol/hex.ts';
import { eip1559BaseFee } from '../../../protocol/rules/base-fee/eip1559.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';

interface FeeHeader {
  readonly baseFeePerGas: Hex;
  readonly gasLimit: Hex;
  readonly gasUsed: Hex;
}

/** EIP-1559 of L1. */
const PARAMS = { denominator: 8, elasticity: 2 } as const;

/**
 * Sets the base fee of the next block to that of a child of block `number`.
 * After a rollback, anvil would go on with the fee of the blocks that are gone. The excess blob gas needs no such call:
 * it is 0 always, because the target of a chain that anvil does not know is above the limit of its blocks.
 * @throws RpcError, TransportError
 */
export async function setNextBaseFee(rpc: RpcClient, number: number): Promise<void> {
  const parent = await rpc.call<FeeHeader>('eth_getBlockByNumber', [quantity(number), false]);
  await rpc.call('anvil_setNextBlockBaseFeePerGas', [quantity(baseFeeAfter(parent))]);
}

function baseFeeAfter({ baseFeePerGas, gasLimit, gasUsed }: FeeHeader): bigint {
  const parent = { baseFeePerGas: BigInt(baseFeePerGas), gasLimit: BigInt(gasLimit) };
  // anvil keeps a base fee of 0, which a test has set.
  return parent.baseFeePerGas === 0n ? 0n : eip1559BaseFee(parent, PARAMS, BigInt(gasUsed));
}
