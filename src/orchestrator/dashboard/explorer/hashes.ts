import type { Layer } from '../../inspect/layer.ts';
import { clientFor } from '../../probe/call.ts';
import { chainOf, type Find, pageOf } from './places.ts';

/** Timeout (ms) of one request to a layer. */
const HASHES_TIMEOUT_MS = 10_000;

/** Finds the transactions and blocks of any layer that have these hashes. A layer without an answer has none. */
export async function hashesAt(
  layers: readonly Layer[],
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly Find[]>> {
  if (hashes.length === 0) return new Map();
  const byLayer = await Promise.all(layers.map((layer) => hashesOf(layer, hashes)));
  return new Map(hashes.map((hash, at) => [hash, byLayer.flatMap((finds) => finds[at] ?? [])]));
}

/** Returns the finds of each hash in one layer, by one request. */
async function hashesOf(layer: Layer, hashes: readonly string[]): Promise<readonly (readonly Find[])[]> {
  const requests = hashes.flatMap((hash) => [
    { method: 'eth_getTransactionByHash', params: [hash] },
    { method: 'eth_getBlockByHash', params: [hash, false] },
  ]);
  const answers = await clientFor(layer.url)
    .batch(requests, { timeoutMs: HASHES_TIMEOUT_MS })
    .catch(() => []);
  const chain = chainOf(layer);
  const isThere = (at: number) => {
    const answer = answers[at];
    return answer?.ok === true && answer.result !== null;
  };
  return hashes.map((hash, at) => [
    ...(isThere(2 * at) ? [{ text: `transaction on ${chain}`, to: pageOf(chain, 'tx', hash) }] : []),
    ...(isThere(2 * at + 1) ? [{ text: `block of ${chain}`, to: pageOf(chain, hash) }] : []),
  ]);
}
