import { isJsonObject } from '../../rpc/json-object.ts';
import { messageOf } from '../../system/failure.ts';
import type { Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';

/** The fields of a block that observers use. */
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
  /** Why the node did not answer; absent if it did. */
  readonly unanswered?: string;
}

export const NO_HEADS: Heads = { unsafe: null, safe: null, finalized: null };

/** Timeout (ms) of a request for heads. A busy machine takes more than one second. */
export const HEADS_TIMEOUT_MS = 3000;

/**
 * Reads the heads of every node from its execution client, by `<chain>/<node>`. All are null if it does not
 * answer.
 */
export async function readHeads(plan: Plan): Promise<ReadonlyMap<string, Heads>> {
  const nodes = plan.network.chains.flatMap((chain) =>
    chain.nodes.map((node) => ({ key: `${chain.name}/${node.name}`, url: node.el.http })),
  );
  return new Map(await Promise.all(nodes.map(async ({ key, url }) => [key, await headsAt(url)] as const)));
}

/** Reads the heads of the node at a URL. */
export async function headsAt(url: string): Promise<Heads> {
  try {
    const [unsafe, safe, finalized] = await clientFor(url).batch(
      ['latest', 'safe', 'finalized'].map((tag) => ({ method: 'eth_getBlockByNumber', params: [tag, false] })),
      { timeoutMs: HEADS_TIMEOUT_MS },
    );
    return { unsafe: headOf(unsafe), safe: headOf(safe), finalized: headOf(finalized) };
  } catch (error) {
    return { ...NO_HEADS, unanswered: messageOf(error) };
  }
}

function headOf(outcome: { readonly ok: boolean; readonly result?: unknown } | undefined): Head | null {
  if (!outcome?.ok || !isJsonObject(outcome.result)) return null;
  const { number, hash, timestamp } = outcome.result;
  if (typeof number !== 'string' || typeof hash !== 'string') return null;
  return { number: Number(number), hash, time: Number(timestamp ?? 0) };
}
