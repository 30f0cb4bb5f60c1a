import { headerHash } from '../../../protocol/codec/header.ts';
import { payloadHeaderSteps } from '../../../protocol/codec/payload-header.ts';
import { asBytes, asList } from '../../../protocol/codec/rlp.ts';
import { decodeTransaction, transactionType } from '../../../protocol/codec/transaction.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import { bytesToHex, hexToBytes, hexToBytesAll } from '../../../protocol/hex.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { requestsHash } from '../block/requests-hash.ts';
import type { Chain } from '../chain/chain.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { ExecutionBudget } from '../evm/execution-budget.ts';
import { invalid, type PayloadStatus } from './payload-status.ts';

/** A payload of newPayload, with what the request states of its block. A rollup has no blobs or requests. */
export interface NewPayload {
  readonly envelope: ExecutionPayloadEnvelope;
  /** Versioned hashes of the blobs of all transactions, in order. */
  readonly blobHashes: readonly Hex[];
  /** Execution requests (EIP-7685). */
  readonly requests: readonly Hex[];
}

/**
 * Decodes the block of a payload (geth: `ExecutableDataToBlock`). Its hash is that of its header.
 * Returns the status of a payload that is no block. @throws RpcError -32602 if it cannot be decoded
 */
export async function blockOfPayload(chain: Chain, payload: NewPayload): Promise<UnexecutedBlock | PayloadStatus> {
  try {
    return await decode(chain, payload);
  } catch (error) {
    if (isProtocolError(error)) throw new RpcError(RPC_CODE.invalidParams, error.message);
    throw error;
  }
}

async function decode(
  chain: Chain,
  { envelope, blobHashes, requests }: NewPayload,
): Promise<UnexecutedBlock | PayloadStatus> {
  const { executionPayload } = envelope;
  const isPlain = chain.definition.ethereum !== undefined;
  const rules = chain.rulesAt(executionPayload.timestamp);
  const steps = payloadHeaderSteps(envelope, rules, requestsHash(requests.map(hexToBytes)));
  const header = await new ExecutionBudget().complete(steps);
  if (!isPlain && blobHashes.length + requests.length > 0)
    return invalid(null, 'blob hashes and execution requests must be empty');
  const { withdrawals = [] } = executionPayload;
  const transactions = hexToBytesAll(executionPayload.transactions);
  const hashes = isPlain ? blobHashesOf(transactions) : [];
  if (typeof hashes === 'string') return invalid(null, hashes);
  if (isPlain && hashes.join() !== blobHashes.join())
    return invalid(null, 'the blob hashes are not those of the transactions');
  const hash = headerHash(header);
  if (hash !== executionPayload.blockHash)
    return invalid(null, `blockhash mismatch, want ${executionPayload.blockHash}, got ${hash}`);
  return { hash, header, transactions, withdrawals };
}

/** Returns the versioned hashes of all blobs of a block in order, or the error of a transaction. */
function blobHashesOf(transactions: readonly Uint8Array[]): Hex[] | string {
  const all: Hex[] = [];
  for (const [index, raw] of transactions.entries()) {
    if (transactionType(raw) !== 3) continue;
    try {
      const hashes = asList(decodeTransaction(raw).fields.blobVersionedHashes, 'blob hashes');
      for (const one of hashes) all.push(bytesToHex(asBytes(one, 'blob hash')));
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      return `invalid transaction ${index}: ${error.message}`;
    }
  }
  return all;
}
