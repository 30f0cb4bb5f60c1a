import type { Hex } from 'viem';
import { present } from '../../../protocol/present.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import { Failure, messageOf } from '../../../system/failure.ts';
import type { ChainView, Plan } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import { depositHashes, sequencerOf } from '../deposit.ts';
import { choiceOf } from './choice.ts';
import { type LoadKind, makerOf } from './kinds.ts';
import { type Layer, openLayer, type Receipt, type Sent } from './layer.ts';

export interface LoadRequest {
  readonly kind: LoadKind;
  readonly seed: number;
  /** Number of transactions; undefined: until the time is over. */
  readonly count: number | undefined;
  /** Time (ms) for which transactions are sent; undefined: until the number is reached. */
  readonly forMs: number | undefined;
  /** Transactions per second; undefined: as many as the network takes. */
  readonly tps: number | undefined;
  /** Time (ms) to wait for those that were sent. */
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
  /** Why sending ended early; absent where it did not. */
  readonly refused?: string;
}

/** Transactions that may be sent without being in a block. */
const IN_FLIGHT = 200;

/** Accounts that send: pools take a bounded number of transactions of each. */
const SENDERS = 8;

/** Receipts of other senders that are kept. */
const KEPT = 5000;

/** Time (ms) between two checks of new blocks, and the time that a load waits after it was interrupted. */
const CHECK = 50;
const AFTER_INTERRUPT = 3000;

/**
 * Sends transactions of a kind and waits until they are in blocks.
 * Amounts, addresses and order follow from the seed.
 */
export async function runLoad(plan: Plan, chain: ChainView, request: LoadRequest): Promise<LoadResult> {
  const began = request.now();
  const l2Url = sequencerOf(chain).el.http;
  const [l1, l2, head] = await Promise.all([
    openLayer(plan.network.l1.direct.rpc),
    openLayer(l2Url),
    clientFor(l2Url).call('eth_getBlockByNumber', ['latest', false]),
  ]);
  const keys = keysOf(chain);
  const make = makerOf(request.kind, Number(jsonField(head, 'gasLimit')));
  const tracker = trackerOf(l1, l2, request.now);
  let sent = 0;
  let refused: string | undefined;
  const isOver = () =>
    request.signal.aborted ||
    (request.count !== undefined && sent >= request.count) ||
    (request.forMs !== undefined && request.now() - began >= request.forMs);
  while (!isOver() && refused === undefined) {
    const due =
      request.tps === undefined ? Number.POSITIVE_INFINITY : 1 + ((request.now() - began) / 1000) * request.tps;
    if (sent >= due || tracker.waiting() >= IN_FLIGHT) {
      await tracker.check();
      await request.pass(tracker.waiting() >= IN_FLIGHT ? CHECK : Math.min(CHECK, 1000 / (request.tps ?? 20)));
      continue;
    }
    const index = sent;
    const item = make(choiceOf(request.seed, index), Math.floor(index / keys.length), chain);
    try {
      const at = request.now();
      const hash = await (item.layer === 'l1' ? l1 : l2).send(
        present(keys[index % keys.length], 'key of a sender'),
        item,
      );
      tracker.add({ hash, item, at });
      sent += 1;
    } catch (error) {
      refused = messageOf(error);
    }
  }
  const sentBy = request.now();
  const patience = () => (request.signal.aborted ? Math.min(AFTER_INTERRUPT, request.timeoutMs) : request.timeoutMs);
  for (;;) {
    await tracker.check();
    if (tracker.waiting() === 0 || request.now() - sentBy >= patience()) break;
    await request.pass(CHECK);
  }
  const { latencies, failed } = tracker;
  const seconds = (request.now() - began) / 1000;
  return {
    kind: request.kind,
    seed: request.seed,
    sent,
    included: latencies.length,
    failed: failed(),
    missing: tracker.waiting(),
    seconds: Math.round(seconds * 1000) / 1000,
    tps: Math.round((latencies.length / seconds) * 10) / 10,
    latency: percentiles(latencies),
    ...(refused === undefined ? {} : { refused }),
  };
}

/** Follows sent transactions into blocks, deposits into those of L2. */
function trackerOf(l1: Layer, l2: Layer, now: () => number) {
  const open = new Map<string, Sent>();
  const latencies: number[] = [];
  let reverted = 0;
  /** Receipts on L2 of other senders: deposits may be there before L1's block was read. */
  const others = new Map<string, Receipt>();
  const close = (sent: Sent, isDone: boolean) => {
    open.delete(sent.hash);
    latencies.push(now() - sent.at);
    if (!isDone && !sent.item.burns) reverted += 1;
  };
  const see = (receipts: readonly Receipt[]) => {
    for (const receipt of receipts) {
      const sent = open.get(receipt.transactionHash);
      if (sent === undefined) {
        others.set(receipt.transactionHash, receipt);
        continue;
      }
      const isDone = receipt.status === '0x1';
      // A deposit counts when L2 has it.
      const [hash] = sent.item.deposits && isDone ? depositHashes(receipt) : [];
      if (hash === undefined) close(sent, isDone);
      else {
        open.delete(sent.hash);
        const onL2 = { ...sent, hash, item: { ...sent.item, deposits: undefined } };
        const there = others.get(hash);
        if (there === undefined) open.set(hash, onL2);
        else close(onL2, there.status === '0x1');
      }
    }
  };
  return {
    latencies,
    failed: () => reverted,
    waiting: () => open.size,
    add: (sent: Sent) => void open.set(sent.hash, sent),
    async check() {
      // L1 first: what it includes is awaited on L2.
      see(await l1.fresh());
      see(await l2.fresh());
      for (const hash of [...others.keys()].slice(0, Math.max(0, others.size - KEPT))) others.delete(hash);
    },
  };
}

function keysOf({ name, accounts }: ChainView): readonly Hex[] {
  const keys = accounts.flatMap(({ role, privateKey }) => (role === undefined && privateKey ? [privateKey] : []));
  if (keys.length === 0) throw new Failure('load', `${name} has no funded account whose key is known`);
  return keys.slice(0, SENDERS);
}

function percentiles(values: readonly number[]): LoadResult['latency'] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}
