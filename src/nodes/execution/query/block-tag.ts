import * as z from 'zod';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import { param } from '../../../rpc/method.ts';
import type { NodeContext } from '../context.ts';

const TAGS = ['latest', 'pending', 'earliest', 'safe', 'finalized'] as const;

const numberParam = param.quantity.transform((value) => Number(value));

/** A block number or tag. */
export const blockNumberParam = z.union([z.enum(TAGS), numberParam], { error: 'expected a block number or tag' });

/** A block number, tag, hash, or EIP-1898 object. */
export const blockParam = z.union(
  [
    z.enum(TAGS),
    param.hash.transform((hash) => ({ blockHash: hash.toLowerCase() as Hex })),
    numberParam,
    z
      .object({ blockHash: param.hash, requireCanonical: z.boolean().optional() })
      .transform(({ blockHash, requireCanonical }) => ({
        blockHash: blockHash.toLowerCase() as Hex,
        requireCanonical,
      })),
    z.object({ blockNumber: numberParam }).transform(({ blockNumber }) => blockNumber),
  ],
  { error: 'expected a block number, tag or hash' },
);

/** How a query names a block. */
export type BlockTag = z.output<typeof blockParam>;

/** Hash of the block that a tag names; undefined where there is none. @throws RpcError where a label is not set, or a hash not canonical */
export function hashOf({ chain }: NodeContext, tag: BlockTag): Hex | undefined {
  if (typeof tag === 'number') return chain.canonicalHash(tag);
  if (typeof tag === 'object') {
    const { blockHash } = tag;
    if ('requireCanonical' in tag && tag.requireCanonical === true && !chain.isCanonical(blockHash))
      throw new RpcError(-32000, 'hash is not currently canonical');
    return chain.header(blockHash) === undefined ? undefined : blockHash;
  }
  switch (tag) {
    case 'latest':
    case 'pending':
      return chain.head.hash;
    case 'earliest':
      return chain.genesisHash;
    default: {
      const hash = chain.labelled(tag);
      if (hash === undefined) throw new RpcError(-32000, `${tag} block not found`);
      return hash;
    }
  }
}

/** The header that a tag names. @throws RpcError where there is none */
export function headerOf(context: NodeContext, tag: BlockTag): { readonly hash: Hex; readonly header: BlockHeader } {
  const hash = hashOf(context, tag);
  const header = hash === undefined ? undefined : context.chain.header(hash);
  if (hash === undefined || header === undefined) {
    const { code, message } = context.flavour.blockNotFound;
    throw new RpcError(code, message);
  }
  return { hash, header };
}
