import { transportErrorIn } from '../../../rpc/client/client.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import { messageOf } from '../../../system/failure.ts';
import { endpointsOf } from '../../plan/chain/endpoints.ts';
import type { ChainView, Plan } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import { choiceOf } from './choice.ts';
import { type LoadKind, makerOf } from './kinds.ts';
import { openLayer } from './layer.ts';
import { roomOf } from './room.ts';
import { sendersOf } from './senders.ts';
import { Tracker } from './tracker.ts';

export interface LoadRequest {
  readonly kind: LoadKind;
  readonly seed: number;
  /** Number of transactions; undefined: until the time is over. */
  readonly count: number | undefined;
  /** Time (ms) for which transactions are sent; undefined: until the number is reached. */
  readonly forMs: number | undefined;
  /** Transactions per second; undefined: as many as the network takes. */
  readonly tps: number | undefined;
  /** Time (ms) to wait for those that were sent, and for a client that takes the next one. */
  readonly timeoutMs: number;
  /** Ends the sending. Those that were sent are still awaited, for a short time. */
  readonly signal: AbortSignal;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** The time of the network (ms); only differences have a meaning. */
  now(): number;
}

export interface LoadResult {
  readonly kind: LoadKind;
  readonly seed: number;
  readonly sent: number;
  readonly included: number;
  /** Those of `included` that reverted, without those that are meant to. */
  readonly failed: number;
  /** Sent, but in no block yet. */
  readonly missing: number;
  readonly seconds: number;
  /** Included transactions per second. */
  readonly tps: number;
  /** From sending to inclusion, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number };
  /** Why sending ended early; absent if it did not. */
  readonly refused?: string;
}

/** Time (ms) between two checks of new blocks, and the time that a load waits after it was interrupted. */
const CHECK_INTERVAL_MS = 50;
const AFTER_INTERRUPT = 3000;

/**
 * Sends transactions of a kind and waits until they are in blocks.
 * Amounts, addresses and order follow from the seed.
 */
export async function runLoad(plan: Plan, chain: ChainView, request: LoadRequest): Promise<LoadResult> {
  const began = request.now();
  const l2Url = endpointsOf(chain).http;
  const [l1, l2, head] = await Promise.all([
    openLayer(plan.network.l1.rpc),
    openLayer(l2Url),
    clientFor(l2Url).call('eth_getBlockByNumber', ['latest', false]),
  ]);
  const gasLimit = Number(jsonField(head, 'gasLimit'));
  const senders = sendersOf(chain);
  const make = makerOf(request.kind, gasLimit);
  const hasRoom = await roomOf(plan, chain, gasLimit);
  const tracker = new Tracker({ l1, l2 }, request.now);
  let sent = 0;
  let refused: string | undefined;
  const check = async () => {
    try {
      await tracker.check();
    } catch (error) {
      refused ??= messageOf(error);
    }
  };
  /** Since when (ms) no client takes a transaction: a set of sequencers has no leader for a moment. */
  let awaySince: number | undefined;
  const isOver = () =>
    request.signal.aborted ||
    (request.count !== undefined && sent >= request.count) ||
    (request.forMs !== undefined && request.now() - began >= request.forMs);
  while (!isOver() && refused === undefined) {
    const due =
      request.tps === undefined ? Number.POSITIVE_INFINITY : 1 + ((request.now() - began) / 1000) * request.tps;
    const item = make(choiceOf(request.seed, sent), Math.floor(sent / senders.count), chain);
    const key = senders.keyOf(item, sent);
    const isFull = !hasRoom(item, tracker.waiting()) || tracker.blocks(item, key);
    if (sent >= due || isFull) {
      await check();
      await request.pass(isFull ? CHECK_INTERVAL_MS : Math.min(CHECK_INTERVAL_MS, 1000 / (request.tps ?? 20)));
      continue;
    }
    try {
      await tracker.send(key, item);
      sent += 1;
      awaySince = undefined;
    } catch (error) {
      const away = transportErrorIn(error);
      awaySince ??= request.now();
      if (away !== undefined && request.now() - awaySince < request.timeoutMs) await request.pass(CHECK_INTERVAL_MS);
      else refused = away === undefined ? messageOf(error) : unreachable(away, request.timeoutMs);
    }
  }
  const sentBy = request.now();
  const patience = () => (request.signal.aborted ? Math.min(AFTER_INTERRUPT, request.timeoutMs) : request.timeoutMs);
  for (;;) {
    await check();
    if (tracker.waiting().count === 0 || request.now() - sentBy >= patience()) break;
    await request.pass(CHECK_INTERVAL_MS);
  }
  const { latencies } = tracker;
  const seconds = (request.now() - began) / 1000;
  return {
    kind: request.kind,
    seed: request.seed,
    sent,
    included: latencies.length,
    failed: tracker.failed(),
    missing: tracker.waiting().count,
    seconds: Math.round(seconds * 1000) / 1000,
    tps: Math.round((latencies.length / seconds) * 10) / 10,
    latency: percentiles(latencies),
    ...(refused === undefined ? {} : { refused }),
  };
}

function unreachable(cause: unknown, timeoutMs: number): string {
  return `no client took a transaction for ${timeoutMs / 1000} s: ${messageOf(cause)}`;
}

function percentiles(values: readonly number[]): LoadResult['latency'] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}
