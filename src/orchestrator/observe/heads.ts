import type { Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';

/** A block as far as observers need it. */
interface Head {
  readonly number: number;
  readonly hash: string;
  /** Unix seconds. */
  readonly time: number;
}

export interface Heads {
  readonly unsafe: Head | null;
  readonly safe: Head | null;
  readonly finalized: Head | null;
}

export const NO_HEADS: Heads = { unsafe: null, safe: null, finalized: null };

/** The heads of every node by `<chain>/<node>`, as its execution client tells them; all null where it does not answer. */
export async function readHeads(plan: Plan, timeoutMs = 1000): Promise<ReadonlyMap<string, Heads>> {
  const nodes = plan.network.chains.flatMap((chain) =>
    chain.nodes.map((node) => ({ key: `${chain.name}/${node.name}`, url: node.el.http })),
  );
  return new Map(await Promise.all(nodes.map(async ({ key, url }) => [key, await headsAt(url, timeoutMs)] as const)));
}

/** The heads of the node at a URL. */
export async function headsAt(url: string, timeoutMs = 1000): Promise<Heads> {
  try {
    const [unsafe, safe, finalized] = await clientFor(url).batch(
      ['latest', 'safe', 'finalized'].map((tag) => ({ method: 'eth_getBlockByNumber', params: [tag, false] })),
      { timeoutMs },
    );
    return { unsafe: headOf(unsafe), safe: headOf(safe), finalized: headOf(finalized) };
  } catch {
    return NO_HEADS;
  }
}

function headOf(outcome: { readonly ok: boolean; readonly result?: unknown } | undefined): Head | null {
  const block = outcome?.ok ? (outcome.result as { number?: string; hash?: string; timestamp?: string } | null) : null;
  if (!block || typeof block.number !== 'string' || typeof block.hash !== 'string') return null;
  return { number: Number(block.number), hash: block.hash, time: Number(block.timestamp ?? 0) };
}
