import { type BlockHeader, decodeHeader } from '../../../protocol/codec/header.ts';
import { keccak256 } from '../../../protocol/hash.ts';
import { hexToBytes, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Outcome, RpcClient } from '../../../rpc/client/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import { asError } from '../../../system/failure.ts';
import { decodeBlock, type UnexecutedBlock } from '../chain/unexecuted-block.ts';

/** A response of a peer that is wrong or cannot be decoded. */
export class PeerFault extends Error {
  override readonly name = 'PeerFault';
}

/** Fetches headers below another by number, from new to old. Stops if the hashes do not link. */
export async function headersBelow(peer: RpcClient, above: BlockHeader, count: number): Promise<[Hex, BlockHeader][]> {
  const numbers = Array.from({ length: Math.min(count, above.number) }, (_, index) => above.number - 1 - index);
  const answers = await peer.batch(
    numbers.map((number) => ({ method: 'debug_getRawHeader', params: [quantity(number)] })),
  );
  const linked: [Hex, BlockHeader][] = [];
  let expected = above.parentHash;
  for (const answer of answers) {
    if (!answer.ok || typeof answer.result !== 'string') break;
    const bytes = dataOf(answer, 'header');
    if (keccak256(bytes) !== expected) break;
    const header = decoded(() => decodeHeader(bytes));
    linked.push([expected, header]);
    expected = header.parentHash;
  }
  return linked;
}

/** Fetches the header of a hash. @throws PeerFault, RpcError or TransportError if the peer does not serve it */
export async function headerOf(peer: RpcClient, hash: Hex): Promise<BlockHeader> {
  const result = await peer.call('debug_getRawHeader', [hash]);
  const bytes = dataOf({ ok: true, result }, 'header');
  if (keccak256(bytes) !== hash) throw new PeerFault(`the header returned for ${hash} has another hash`);
  return decoded(() => decodeHeader(bytes));
}

/**
 * Fetches blocks by hash, in order.
 * @throws PeerFault, RpcError or TransportError if the peer does not serve them
 */
export async function blocksOf(peer: RpcClient, hashes: readonly Hex[]): Promise<UnexecutedBlock[]> {
  const answers = await peer
    .batch(hashes.map((hash) => ({ method: 'debug_getRawBlock', params: [hash] })))
    .catch((error: unknown) => {
      if (error instanceof RpcError) return hashes.map(() => ({ ok: false as const, error }));
      throw error;
    });
  const blocks: UnexecutedBlock[] = [];
  for (const [index, hash] of hashes.entries()) {
    // A batch above the peer's limits is fetched block by block.
    const batched = present(answers[index], 'response of the batch');
    const answer = batched.ok ? batched : { ok: true as const, result: await peer.call('debug_getRawBlock', [hash]) };
    const block = decoded(() => decodeBlock(dataOf(answer, 'block')));
    if (block.hash !== hash) throw new PeerFault(`the block returned for ${hash} is ${block.hash}`);
    blocks.push(block);
  }
  return blocks;
}

function dataOf(answer: Outcome, what: string): Uint8Array {
  if (!answer.ok) throw answer.error;
  if (typeof answer.result !== 'string') throw new PeerFault(`the peer has no such ${what}`);
  return decoded(() => hexToBytes(String(answer.result)));
}

function decoded<Value>(decode: () => Value): Value {
  try {
    return decode();
  } catch (cause) {
    throw new PeerFault(asError(cause).message, { cause });
  }
}
