import * as z from 'zod';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcError } from '../../../rpc/error.ts';
import { param } from '../../../rpc/method.ts';
import type { Block } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';

const TAGS = ['latest', 'pending', 'earliest', 'safe', 'finalized'] as const;

const numberParam = param.quantity.transform((value) => Number(value));

/** A block number or tag. */
export const blockNumberParam = z.union([z.enum(TAGS), numberParam], { error: 'expected a block number or tag' });

/** A block's hash. */
export const blockHashParam = param.hash.transform((hash): BlockByHash => ({ blockHash: lowerHex(hash) }));

/** A block number, tag, hash, or EIP-1898 object. */
export const blockParam = z.union(
  [
    z.enum(TAGS),
    blockHashParam,
    numberParam,
    z.strictObject({ blockHash: param.hash, requireCanonical: z.boolean().nullish() }).transform(
      ({ blockHash, requireCanonical }): BlockByHash => ({
        blockHash: lowerHex(blockHash),
        requireCanonical: requireCanonical ?? undefined,
      }),
    ),
    z
      .strictObject({ blockNumber: blockNumberParam, requireCanonical: z.boolean().nullish() })
      .transform(({ blockNumber }) => blockNumber),
  ],
  { error: 'expected a block number, tag or hash' },
);

/** Block reference of a query (geth: `BlockNumberOrHash`). */
export type BlockTag = number | (typeof TAGS)[number] | BlockByHash;

interface BlockByHash {
  readonly blockHash: Hex;
  readonly requireCanonical?: boolean | undefined;
}

/** Errors of block references that differ between the clients. */
export interface BlockErrors {
  /** A block that a query names is unknown, or not canonical. */
  blockNotFound(tag: BlockTag, notCanonical?: boolean): RpcError;
}

/** Parts of the node that resolve block references. */
interface BlockTagContext {
  readonly chain: Pick<
    Chain,
    'canonicalHash' | 'genesisHash' | 'head' | 'header' | 'isCanonical' | 'knownBlock' | 'labelled'
  >;
  readonly flavour: { readonly errors: BlockErrors; readonly unsetLabelIsNull: boolean };
}

/**
 * Returns the hash of the block that a tag names, or undefined.
 * @throws RpcError if a hash must be canonical and is not, and in op-geth if a label is not set
 */
export function hashOf({ chain, flavour }: BlockTagContext, tag: BlockTag): Hex | undefined {
  if (typeof tag === 'number') return chain.canonicalHash(tag);
  if (typeof tag === 'object') {
    const { blockHash } = tag;
    if (chain.header(blockHash) === undefined) return undefined;
    if (tag.requireCanonical === true && !chain.isCanonical(blockHash)) throw flavour.errors.blockNotFound(tag, true);
    return blockHash;
  }
  switch (tag) {
    case 'latest':
    case 'pending':
      return chain.head.hash;
    case 'earliest':
      return chain.genesisHash;
    default: {
      const hash = chain.labelled(tag);
      if (hash === undefined && !flavour.unsetLabelIsNull) throw flavour.errors.blockNotFound(tag);
      return hash;
    }
  }
}

/** Returns the header that a tag names (geth: `HeaderByNumberOrHash`). @throws RpcError if there is none */
export function headerOf(
  context: BlockTagContext,
  tag: BlockTag,
): { readonly hash: Hex; readonly header: BlockHeader } {
  const hash = hashOf(context, tag);
  const header = hash === undefined ? undefined : context.chain.header(hash);
  if (hash === undefined || header === undefined) throw context.flavour.errors.blockNotFound(tag);
  return { hash, header };
}

/** Returns the block that a tag names. @throws RpcError if there is none */
export function blockOf(context: BlockTagContext, tag: BlockTag): Block {
  return context.chain.knownBlock(headerOf(context, tag).hash);
}
