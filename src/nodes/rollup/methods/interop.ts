import * as z from 'zod';
import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { EngineClient } from '../engine/client.ts';
import type { EventStream } from '../interop/event-stream.ts';
import type { NodeApi } from './api.ts';

/** The node as the interop methods see it. */
export interface InteropContext {
  readonly node: Pick<NodeApi, 'rollup' | 'outputAt'>;
  readonly client: Pick<EngineClient, 'payloadByNumber' | 'receipts'>;
  readonly events: EventStream;
}

/** Error codes of op-node's managed mode. */
const OUT_OF_EVENTS = -39001;
const INTEROP_INACTIVE = -39003;

const blockId = z.object({ hash: param.hash, number: z.int() });
const time = z.int().min(0);

/**
 * Methods for a supervisor (op-node's managed mode; kona calls them by `ManagedNodeClient`).
 * Methods that need an active interop fork are refused.
 */
export const interopMethods: MethodTable<InteropContext> = {
  interop_chainID: method('Chain id, as a decimal string.', z.tuple([]), ({ node }) =>
    String(node.rollup.config.l2_chain_id),
  ),
  interop_pullEvent: method('Returns the oldest undelivered event.', z.tuple([]), ({ events }) => {
    const event = events.pull();
    if (event === undefined) throw new RpcError(OUT_OF_EVENTS, 'out of events');
    return event;
  }),
  interop_subscribe: method(
    'Sends the events of this node from now on.',
    z.tuple([z.literal('events')]),
    ({ events }: InteropContext, _, { notify, closed }) => {
      if (!notify) throw new RpcError(RPC_CODE.methodNotFound, 'notifications not supported');
      const subscription = `0x${crypto.randomUUID().replaceAll('-', '')}`;
      events.subscribe(subscription, (result) => void notify('interop_subscription', { subscription, result }));
      closed.addEventListener('abort', () => events.unsubscribe(subscription));
      return subscription;
    },
  ),
  interop_unsubscribe: method('Ends the subscription.', z.tuple([z.string()]), ({ events }: InteropContext, [id]) => {
    if (!events.unsubscribe(id)) throw new RpcError(RPC_CODE.server, 'subscription not found');
    return true;
  }),
  interop_blockRefByNumber: method(
    'The block of a height.',
    z.tuple([z.int().min(0)]),
    async (context: InteropContext, [number]) => blockIdOf(await refAt(context, number)),
  ),
  interop_l2BlockRefByTimestamp: method(
    'The block of a time, with its L1 origin.',
    z.tuple([time]),
    (context: InteropContext, [at]) => refAt(context, numberAt(context.node.rollup, at)),
  ),
  interop_fetchReceipts: method(
    'Receipts of a block.',
    z.tuple([param.hash]),
    async ({ client }: InteropContext, [hash]) => {
      const receipts = await client.receipts(hash);
      if (receipts === null) throw new RpcError(RPC_CODE.server, 'not found');
      return receipts;
    },
  ),
  interop_outputV0AtTimestamp: method('What the output root of a time is made of.', z.tuple([time]), output),
  interop_pendingOutputV0AtTimestamp: method(
    'The same before a block was replaced for its messages; none is without interop.',
    z.tuple([time]),
    output,
  ),
  ...Object.fromEntries(
    (
      [
        ['interop_anchorPoint', 'The first block with interop.', z.tuple([])],
        ['interop_updateCrossUnsafe', 'Sets the cross-unsafe head.', z.tuple([blockId])],
        ['interop_updateCrossSafe', 'Sets the cross-safe head.', z.tuple([blockId, blockId])],
        ['interop_updateFinalized', 'Sets the finalized head.', z.tuple([blockId])],
        ['interop_invalidateBlock', 'Replaces a block with invalid messages.', z.tuple([z.unknown()])],
        ['interop_provideL1', 'Gives derivation its next L1 block.', z.tuple([z.unknown()])],
        ['interop_reset', 'Sets all heads.', z.tuple([blockId, blockId, blockId, blockId, blockId])],
      ] as const
    ).map(([name, summary, params]) => [name, method(`${summary} Refused: interop is not active.`, params, inactive)]),
  ),
};

/** Refuses a method. @throws RpcError always: no fork of this chain makes the node wait for a supervisor */
function inactive(): never {
  throw new RpcError(
    INTEROP_INACTIVE,
    'interop is not active on this chain: the node derives and finalizes without a supervisor',
  );
}

/** Returns the number of the block of a time (op-node: `TargetBlockNumber`). @throws RpcError before genesis */
function numberAt({ config }: Rollup, at: number): number {
  const { l2, l2_time } = config.genesis;
  if (at < l2_time) throw new RpcError(RPC_CODE.server, `time ${at} is before genesis (${l2_time})`);
  return l2.number + Math.floor((at - l2_time) / config.block_time);
}

async function refAt({ node, client }: InteropContext, number: number): Promise<L2BlockRef> {
  const envelope = await client.payloadByNumber(number);
  if (envelope === null) throw new RpcError(RPC_CODE.server, 'not found');
  return blockRefOf(node.rollup, envelope.executionPayload);
}

async function output({ node }: InteropContext, [at]: readonly [number]) {
  const result = await node.outputAt(numberAt(node.rollup, at));
  if (result === null) throw new RpcError(RPC_CODE.server, 'not found');
  // Go's spelling of a struct without tags.
  return {
    StateRoot: result.stateRoot,
    MessagePasserStorageRoot: result.withdrawalStorageRoot,
    BlockHash: result.blockRef.hash,
  };
}

/** Returns a block reference without its L1 origin. */
export function blockIdOf({ hash, number, parentHash, timestamp }: L1BlockRef): L1BlockRef {
  return { hash, number, parentHash, timestamp };
}
