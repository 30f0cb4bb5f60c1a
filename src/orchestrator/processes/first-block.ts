import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../system/failure.ts';
import type { Task } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';

/** Timeout of one call and pause between two attempts (ms). */
const CALL_TIMEOUT_MS = 2000;
const RETRY_PAUSE_MS = 200;

/** A block as the `eth` namespace gives it, its transactions as hashes. */
interface RpcBlock {
  readonly hash: string;
  readonly number: string;
  readonly parentHash: string;
  readonly miner: string;
  readonly stateRoot: string;
  readonly receiptsRoot: string;
  readonly logsBloom: string;
  readonly mixHash: string;
  readonly gasLimit: string;
  readonly gasUsed: string;
  readonly timestamp: string;
  readonly extraData: string;
  readonly baseFeePerGas: string;
  readonly transactions: readonly string[];
  readonly withdrawals?: readonly unknown[];
  readonly withdrawalsRoot?: string;
  readonly blobGasUsed?: string;
  readonly excessBlobGas?: string;
  readonly parentBeaconBlockRoot?: string;
  readonly requestsHash?: string;
}

/**
 * Sends the newest block of an execution client to its rollup node as an unsafe block.
 * Repeats until the rollup node accepts it or the signal aborts. The execution client has that block already:
 * derivation
 * starts, and no block reaches the node that it did not derive. `tried` receives the reason of each failed attempt.
 */
export async function sendFirstBlock(
  { rpc, method, head }: NonNullable<Task['firstBlock']>,
  signal: AbortSignal,
  tried: (why: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const envelope = await newestBlock(head, signal);
      await clientFor(rpc).call(method, [envelope], { signal, timeoutMs: CALL_TIMEOUT_MS });
      return;
    } catch (error) {
      tried(`${method}: ${messageOf(error)}`);
      await sleep(RETRY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function newestBlock(url: string, signal: AbortSignal): Promise<object> {
  const client = clientFor(url);
  const options = { signal, timeoutMs: CALL_TIMEOUT_MS };
  const block = await client.call<RpcBlock>('eth_getBlockByNumber', ['latest', false], options);
  const transactions = await Promise.all(
    block.transactions.map((hash) => client.call<string>('eth_getRawTransactionByHash', [hash], options)),
  );
  return envelopeOf(block, transactions);
}

/** `{ executionPayload, parentBeaconBlockRoot }` of a block, as `engine_getPayload` returns it. */
export function envelopeOf(block: RpcBlock, transactions: readonly string[]): object {
  const executionPayload = {
    parentHash: block.parentHash,
    feeRecipient: block.miner,
    stateRoot: block.stateRoot,
    receiptsRoot: block.receiptsRoot,
    logsBloom: block.logsBloom,
    prevRandao: block.mixHash,
    blockNumber: block.number,
    gasLimit: block.gasLimit,
    gasUsed: block.gasUsed,
    timestamp: block.timestamp,
    extraData: block.extraData,
    baseFeePerGas: block.baseFeePerGas,
    blockHash: block.hash,
    transactions,
    withdrawals: block.withdrawals,
    blobGasUsed: block.blobGasUsed,
    excessBlobGas: block.excessBlobGas,
    // A block without a requests hash has the root too, and its payload does not.
    withdrawalsRoot: block.requestsHash === undefined ? undefined : block.withdrawalsRoot,
  };
  return { executionPayload, parentBeaconBlockRoot: block.parentBeaconBlockRoot };
}
