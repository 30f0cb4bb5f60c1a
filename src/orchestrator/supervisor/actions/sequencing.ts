import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, jsonField } from '../../../rpc/json-object.ts';
import { messageOf } from '../../../system/failure.ts';
import type { NodeView } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import { type Block, readHead } from '../../processes/readiness/agreed.ts';

/** Timeout (ms) of a call that stops or starts a sequencer: it may be in the middle of a block. */
const ADMIN_TIMEOUT_MS = 10_000;
/** Timeout (ms) of any other call. */
const CALL_TIMEOUT_MS = 5000;
/** Time (ms) between two readings of a head. */
const PAUSE_MS = 50;

/** Stops sequencing at a node. Resolves with the hash of its unsafe head. @throws RpcError, TransportError */
export async function stopSequencing({ cl }: NodeView): Promise<string> {
  return String(await clientFor(cl.rpc).call('admin_stopSequencer', [], { timeoutMs: ADMIN_TIMEOUT_MS }));
}

/** Has a node sequence upon its unsafe head, if it does not yet. @throws RpcError, TransportError */
export async function startSequencing(node: NodeView, signal: AbortSignal): Promise<void> {
  const client = clientFor(node.cl.rpc);
  for (;;) {
    try {
      if ((await client.call('admin_sequencerActive', [], { timeoutMs: CALL_TIMEOUT_MS, signal })) === true) return;
      const { head } = await readHead(node, 'unsafe_l2', signal, 0);
      if (head === undefined) throw new Error('it has no unsafe head');
      // The head may move in between, by a block that still comes from gossip.
      await client.call('admin_startSequencer', [head.hash], { timeoutMs: ADMIN_TIMEOUT_MS, signal });
    } catch (error) {
      if (signal.aborted) throw error;
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** Resolves with the unsafe head of a node when it has that hash. @throws the signal's reason */
export async function untilAt(node: NodeView, hash: string, signal: AbortSignal): Promise<Block> {
  for (;;) {
    const { head } = await readHead(node, 'unsafe_l2', signal, 0);
    if (head?.hash === hash) return head;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** Resolves when a node has a block above another one. @throws the signal's reason */
export async function untilAbove(node: NodeView, block: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { head } = await readHead(node, 'unsafe_l2', signal, 0);
    if (head !== undefined && head.number > block) return;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** What became of pending transactions. */
export interface Forwarded {
  readonly count: number;
  /** Why the pool of the new sequencer refused one, by its hash. */
  readonly refused: readonly string[];
}

/**
 * Sends the transactions of one node's pool to another node, each sender's in the order of their nonces. One that the
 * chain or the pool has already counts as taken.
 */
export async function forwardPool(from: NodeView, to: NodeView): Promise<Forwarded> {
  const source = clientFor(from.el.http);
  const target = clientFor(to.el.http);
  const options = { timeoutMs: CALL_TIMEOUT_MS };
  const content = await source.call('txpool_content', [], options);
  const refused: string[] = [];
  let count = 0;
  for (const hash of [...hashesIn(jsonField(content, 'pending')), ...hashesIn(jsonField(content, 'queued'))]) {
    const raw = await source.call('eth_getRawTransactionByHash', [hash], options);
    // It has left the pool meanwhile: a block has it.
    if (typeof raw !== 'string' || raw.length <= 2) continue;
    try {
      await target.call('eth_sendRawTransaction', [raw], options);
      count += 1;
    } catch (error) {
      if (!(await isThere(to, hash))) refused.push(`${hash}: ${messageOf(error)}`);
    }
  }
  return { count, refused };
}

/** Lists the hashes of a part of a pool: a map of maps, by sender and nonce. */
function hashesIn(part: unknown): readonly string[] {
  if (!isJsonObject(part)) return [];
  return Object.values(part).flatMap((ofSender) => {
    const entries = isJsonObject(ofSender) ? Object.entries(ofSender) : [];
    const inOrder = entries.toSorted(([one], [other]) => Number(one) - Number(other));
    return inOrder.map(([, transaction]) => String(jsonField(transaction, 'hash')));
  });
}

/** Returns whether a node has a transaction, in its pool or in a block. */
async function isThere({ el }: NodeView, hash: string): Promise<boolean> {
  const options = { timeoutMs: CALL_TIMEOUT_MS };
  return isJsonObject(
    await clientFor(el.http)
      .call('eth_getTransactionByHash', [hash], options)
      .catch(() => null),
  );
}
