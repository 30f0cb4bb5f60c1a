import * as z from 'zod';
import { lowerHex } from '../../../protocol/hex.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { type BlockTag, blockOf, blockParam } from '../query/block-tag.ts';
import type { WitnessMode } from '../witness/behaviour.ts';
import { executionWitness } from '../witness/execution-witness.ts';
import type { ReadContext } from './context.ts';

const modeParam = z.enum(['legacy', 'canonical']).nullish();

async function witnessOf(context: ReadContext, tag: BlockTag, modeOption: WitnessMode | null | undefined) {
  const { flavour, limits } = context;
  if (modeOption != null && !flavour.witness.hasModes)
    throw new RpcError(RPC_CODE.invalidParams, 'too many arguments, want at most 1');
  const mode = modeOption ?? 'legacy';
  const block = blockOf(context, tag);
  const witness = await executionWitness(context, block, flavour.witness.scope(mode), limits.callTime);
  return flavour.witness.view(witness, mode);
}

/**
 * Methods of `debug` that return execution witnesses.
 * Counterparts: `DebugAPI.ExecutionWitness` of geth, `debug_execution_witness` of reth.
 */
export const debugWitness: MethodTable<ReadContext> = {
  debug_executionWitness: method(
    'Trie nodes, code and headers that executing a block needs',
    z.tuple([blockParam, modeParam]),
    (context, [tag, mode]) => witnessOf(context, tag, mode),
  ),
  debug_executionWitnessByBlockHash: method(
    'Trie nodes, code and headers that executing a block needs',
    z.tuple([param.hash, modeParam]),
    (context, [hash, mode]) => witnessOf(context, { blockHash: lowerHex(hash) }, mode),
  ),
};
