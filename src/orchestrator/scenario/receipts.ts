import type { TransactionReceipt } from 'viem';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Evidence } from './step.ts';

/** The values of a receipt that steps may refer to. */
export const RECEIPT_VALUES = ['hash', 'status', 'block', 'blockHash', 'from', 'to', 'gasUsed', 'address', 'logs'];

/** Writes a receipt as evidence. */
export function receiptEvidence(receipt: TransactionReceipt): Evidence {
  return {
    hash: receipt.transactionHash,
    status: receipt.status,
    block: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
    from: receipt.from,
    to: receipt.to,
    gasUsed: Number(receipt.gasUsed),
    ...(receipt.contractAddress == null ? {} : { address: receipt.contractAddress }),
    logs: receipt.logs.length,
  };
}

/** @throws Failure `status` if a transaction ended otherwise than expected */
export function mustEndAs(expected: 'success' | 'reverted', receipt: TransactionReceipt): Evidence {
  const evidence = receiptEvidence(receipt);
  if (receipt.status === expected) return evidence;
  throw new Failure(
    'status',
    `the transaction ${receipt.transactionHash} in block ${receipt.blockNumber} has the status ${receipt.status}, ` +
      `expected ${expected}`,
    { exit: EXIT.failed, data: { ...evidence } },
  );
}
