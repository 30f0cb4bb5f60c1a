import * as z from 'zod';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { NodeContext } from './context.ts';

const size = param.quantity.transform((bytes) => (bytes === 0n ? undefined : Number(bytes)));

/**
 * Namespace `miner`: limits that a batcher sets while L1 has no space for its data.
 * Counterparts: `MinerAPI.SetMaxDASize` of op-geth, `OpMinerExtApi` of op-reth.
 */
export const miner: MethodTable<NodeContext> = {
  miner_setMaxDASize: method(
    'Most bytes of data availability per transaction and per block; 0: no limit',
    z.tuple([size, size]),
    ({ daLimits }, [transaction, block]) => {
      daLimits.transaction = transaction;
      daLimits.block = block;
      return true;
    },
  ),
};
