import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method } from '../../../rpc/method.ts';
import type { NodeContext } from './context.ts';

/** Methods of test nodes that move time or make blocks. Here the rollup node does both, by the network's clock. */
const NAMES = [
  'evm_increaseTime',
  'evm_setNextBlockTimestamp',
  'evm_mine',
  'hardhat_mine',
  'anvil_increaseTime',
  'anvil_setNextBlockTimestamp',
  'anvil_mine',
] as const;

const ANY = z.tuple([z.unknown().optional(), z.unknown().optional()]);

/** Methods that fail with a message that names the way: time moves for L1 and L2 together. */
export const testTime: MethodTable<NodeContext> = Object.fromEntries(
  NAMES.map((name) => [
    name,
    method('Refused: time moves for L1 and L2 together', ANY, (): never => {
      throw new RpcError(
        RPC_CODE.methodNotFound,
        `${name} is not available on L2: call it on the L1 RPC, which moves the whole network, or run \`devnet warp\``,
      );
    }),
  ]),
);
