import { type BlockHeader, decodeHeader, encodeHeader } from '../../../protocol/codec/header.ts';
import { payloadOfBlock } from '../../../protocol/codec/payload-header.ts';
import { asList, rlpDecode, rlpEncode } from '../../../protocol/codec/rlp.ts';
import { l2BlockRef } from '../../../protocol/derivation/attributes/l2-block-ref.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../protocol/hex.ts';
import type { ExecutionPayloadEnvelope, Hex, L2BlockRef } from '../../../protocol/types.ts';
import { clientFor } from '../../probe/call.ts';

/** A block as its client stores it. */
export interface RawBlock {
  readonly hash: Hex;
  readonly header: BlockHeader;
  readonly encodedHeader: Hex;
  /** EIP-2718 encodings. */
  readonly transactions: readonly Hex[];
}

/** Timeout (ms) of a request. */
const RAW_BLOCK_TIMEOUT_MS = 10_000;

/** Reads a block of a node with `debug_getRawBlock`. @throws Error if the node does not serve it */
export async function rawBlock(url: string, block: number | string): Promise<RawBlock> {
  const id = typeof block === 'number' ? quantity(block) : block;
  const bytes = hexToBytes(
    await clientFor(url).call<Hex>('debug_getRawBlock', [id], { timeoutMs: RAW_BLOCK_TIMEOUT_MS }),
  );
  const parts = asList(rlpDecode(bytes), 'block');
  const header = decodeHeader(rlpEncode(asList(parts[0], 'header')));
  const encodedHeader = encodeHeader(header);
  const transactions = asList(parts[1], 'transactions').map((item) =>
    bytesToHex(item instanceof Uint8Array ? item : rlpEncode(item)),
  );
  const hash = keccak256(encodedHeader);
  return { hash, header, encodedHeader: bytesToHex(encodedHeader), transactions };
}

/** Returns the payload of a block under the rules of a rollup. */
export function payloadOf({ header, transactions }: RawBlock, rollup: Rollup): ExecutionPayloadEnvelope {
  return payloadOfBlock(header, transactions, rollup.rulesAt(header.timestamp));
}

/** Returns the reference of a block with its L1 origin. */
export function refOf(block: RawBlock, rollup: Rollup): L2BlockRef {
  return l2BlockRef(payloadOf(block, rollup).executionPayload, rollup.config.genesis);
}
