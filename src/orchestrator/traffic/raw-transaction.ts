import { type Hex, keccak256 } from 'viem';
import type { RpcClient } from '../../rpc/client/client.ts';
import { systemCode } from '../../system/failure.ts';

/** Codes of a connection that its server ended. A request that found no server, or no answer in time, has another. */
const ENDED_CONNECTION: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

/** Attempts to hand over one signed transaction while its connection ends without an answer. */
const MAX_ATTEMPTS = 3;

/**
 * Sends a signed transaction. Returns its hash. A connection that ends without an answer does not say whether the
 * client took the transaction, so the client is asked for its hash, and the same bytes are sent again if it has none.
 * @throws RpcError if the client refuses it, TransportError if no attempt was answered
 */
export async function sendRawTransaction(client: RpcClient, raw: Hex, timeoutMs: number): Promise<Hex> {
  const hash = keccak256(raw);
  const isKnown = async () => (await client.call('eth_getTransactionByHash', [hash], { timeoutMs })) !== null;
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.call<Hex>('eth_sendRawTransaction', [raw], { timeoutMs });
    } catch (error) {
      // The refusal of a second attempt ("already known") may be of what the first one delivered.
      const isUnanswered = ENDED_CONNECTION.has(systemCode(error));
      if (!isUnanswered && attempt === 1) throw error;
      if (await isKnown().catch(() => false)) return hash;
      if (!isUnanswered || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
