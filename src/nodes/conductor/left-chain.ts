import { decodeDeposit } from '../../protocol/codec/deposit.ts';
import { envelopeFromJson } from '../../protocol/codec/payload-json.ts';
import { hexToBytes, quantity } from '../../protocol/hex.ts';
import { decodeL1Attributes } from '../../protocol/rules/l1-attributes/index.ts';
import type { ExecutionPayload } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { hashIn, type Member, type MemberState } from './member.ts';

/** Time (ms) that L1 has to answer. */
const L1_TIMEOUT_MS = 1000;
/** The most ancestors of a committed block that are read, down to the safe head. */
const MAX_ANCESTORS = 1000;

/**
 * Tells whether a committed block can no longer be part of the chain. L1 has another block than its L1 origin, or
 * derivation on a member has made another block of its height or of an ancestor's. A block that a member merely does
 * not know has not left the chain. `l1`: undefined if this program knows no L1.
 */
export async function hasLeftChain(envelope: unknown, member: Member, l1: RpcClient | undefined): Promise<boolean> {
  const payload = envelopeFromJson(envelope).executionPayload;
  const [byL1, bySafeChain] = await Promise.all([
    isOriginReplaced(payload, l1).catch(() => false),
    member.look().then(
      (state) => isDerivedOtherwise(payload, member, state),
      () => false,
    ),
  ]);
  return byL1 || bySafeChain;
}

/** Whether L1 has another block. An origin that L1 has not reached again may still come, as in op-node. */
async function isOriginReplaced({ transactions }: ExecutionPayload, l1: RpcClient | undefined): Promise<boolean> {
  const [first] = transactions;
  if (l1 === undefined || first === undefined) return false;
  const origin = decodeL1Attributes(hexToBytes(decodeDeposit(hexToBytes(first)).data));
  const params = [quantity(origin.number), false];
  const hash = hashIn(await l1.call('eth_getBlockByNumber', params, { timeoutMs: L1_TIMEOUT_MS }), 'hash');
  return hash !== undefined && hash !== origin.hash;
}

async function isDerivedOtherwise(
  { blockNumber, blockHash, parentHash }: ExecutionPayload,
  member: Member,
  { safe }: MemberState,
): Promise<boolean> {
  const number = Number(blockNumber);
  if (number <= safe.number) {
    const hash = await member.hashAt(number);
    return hash !== undefined && hash !== blockHash;
  }
  if (number - safe.number > MAX_ANCESTORS) return false;
  let ancestor: string | undefined = parentHash;
  for (let at = number - 1; at > safe.number && ancestor !== undefined; at--)
    ancestor = await member.parentOf(ancestor);
  return ancestor !== undefined && ancestor !== safe.hash;
}
