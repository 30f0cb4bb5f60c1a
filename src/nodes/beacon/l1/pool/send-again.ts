import type { Hex } from '../../../../protocol/types.ts';
import type { RpcClient } from '../../../../rpc/client/client.ts';
import { RpcError } from '../../../../rpc/error.ts';
import type { JournalTransaction } from '../../chain/block.ts';
import type { RpcTransaction } from './transaction.ts';

const SENT_FIELDS = [
  'from',
  'to',
  'gas',
  'value',
  'nonce',
  'input',
  'accessList',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
] as const;

/** Sends a transaction of a former block. @throws RpcError if L1 rejects it */
export async function sendAgain(
  rpc: RpcClient,
  { from, impersonated }: Pick<JournalTransaction, 'from' | 'impersonated'>,
  raw: Hex | undefined,
): Promise<void> {
  if (impersonated !== undefined) await sendUnsigned(rpc, from, impersonated);
  else if (raw === undefined) throw new RpcError(0, 'its blobs are missing from the data folder');
  else await rpc.call('eth_sendRawTransaction', [raw], { timeoutMs: 60_000 });
}

/** Sends a transaction of an impersonated account, which may be none any more. @throws RpcError */
async function sendUnsigned(rpc: RpcClient, from: Hex, fields: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await rpc.call('eth_sendTransaction', [fields]);
  } catch (error) {
    if (!(error instanceof RpcError && /signer/i.test(error.message))) throw error;
    await rpc.call('anvil_impersonateAccount', [from]);
    try {
      await rpc.call('eth_sendTransaction', [fields]);
    } finally {
      await rpc.call('anvil_stopImpersonatingAccount', [from]);
    }
  }
}

/** Returns true for a transaction of an impersonated account. */
export function isUnsigned({ r, s }: RpcTransaction): boolean {
  return BigInt(r ?? 0) === 0n && BigInt(s ?? 0) === 0n;
}

/** Returns the fields to send an unsigned transaction again; `gasPrice` only without a fee cap. */
export function sentFields(transaction: RpcTransaction): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const name of SENT_FIELDS) {
    if (name === 'gasPrice' && transaction.maxFeePerGas !== undefined) continue;
    if (transaction[name] !== undefined && transaction[name] !== null) fields[name] = transaction[name];
  }
  return fields;
}
