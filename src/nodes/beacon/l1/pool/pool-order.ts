import type { Hex } from '../../../../protocol/types.ts';
import type { RpcClient } from '../../../../rpc/client/client.ts';

interface Pooled {
  readonly hash: Hex;
  readonly from: string;
  readonly nonce: number;
}

type Content = Readonly<
  Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, { hash: Hex }>>>>>
>;

/**
 * Orders L1's pool by sender and nonce. The next block does not depend on the order of arrival then.
 * anvil includes transactions as they arrive (`--order fifo`), so they are dropped and sent again. Transactions of
 * impersonated accounts have no network form: with one of them in the pool its order stays.
 */
export async function orderPool(rpc: RpcClient): Promise<void> {
  const { pending, queued } = await rpc.call<Content>('txpool_content');
  if (Object.keys(pending).length < 2) return;
  const pooled = [...listed(pending), ...listed(queued)].sort(bySender);
  const forms = await formsOf(rpc, pooled);
  if (forms.length < pooled.length) return;
  await rpc.call('anvil_dropAllTransactions');
  for (const form of forms) await rpc.call('eth_sendRawTransaction', [form], { timeoutMs: 60_000 });
}

async function formsOf(rpc: RpcClient, pooled: readonly Pooled[]): Promise<readonly Hex[]> {
  const outcomes = await rpc.batch<Hex | null>(
    pooled.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
  );
  return outcomes.flatMap((outcome) => (outcome.ok && outcome.result !== null ? [outcome.result] : []));
}

function listed(part: Content['pending']): readonly Pooled[] {
  return Object.entries(part).flatMap(([from, byNonce]) =>
    Object.entries(byNonce).map(([nonce, { hash }]) => ({ hash, from: from.toLowerCase(), nonce: Number(nonce) })),
  );
}

function bySender(one: Pooled, other: Pooled): number {
  if (one.from !== other.from) return one.from < other.from ? -1 : 1;
  return one.nonce - other.nonce;
}
