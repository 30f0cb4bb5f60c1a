import type { Hex } from 'viem';
import { depositHashes } from '../deposit.ts';
import type { Item } from './kinds.ts';
import type { Layer, Receipt, Sent } from './layer.ts';
import type { Waiting } from './room.ts';

/** A transaction that waits, and where. A deposit waits on L1 first, then on L2. */
type Open = Sent & { readonly isOnL2?: true };

/** Follows the transactions of a load into blocks, deposits into those of L2. */
export interface Tracker {
  /** Time (ms) from sending to inclusion of each that is included. */
  readonly latencies: readonly number[];
  failed(): number;
  waiting(): Waiting;
  /** Returns whether a transaction has to wait for others of its sender, whose nonce on L2 a deposit moves. */
  blocks(item: Item, key: Hex): boolean;
  /** @throws Failure `load` where the client refuses it */
  send(key: Hex, item: Item): Promise<void>;
  /** Reads new blocks. Sends again what cannot be included any more, because a deposit took its nonce. */
  check(): Promise<void>;
}

/** Receipts of other senders that are kept. */
const MAX_FOREIGN_RECEIPTS = 5000;

/** Time (ms) without inclusion after which the nonce of the sender is read. */
const NONCE_CHECK_AFTER_MS = 3000;

/** Creates the tracker. `now`: the time of the network (ms). */
export function trackerOf(layers: { readonly l1: Layer; readonly l2: Layer }, now: () => number): Tracker {
  const open = new Map<string, Open>();
  const latencies: number[] = [];
  let reverted = 0;
  let askedAt = now();
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
      const isDeposit = sent.item.depositGas !== undefined && sent.isOnL2 === undefined;
      const [hash] = isDeposit && isDone ? depositHashes(receipt) : [];
      if (hash === undefined) close(sent, isDone);
      else {
        open.delete(sent.hash);
        const onL2: Open = { ...sent, hash, isOnL2: true };
        const there = others.get(hash);
        if (there === undefined) open.set(hash, onL2);
        else close(onL2, there.status === '0x1');
      }
    }
  };
  const all = () => [...open.values()];

  async function read(): Promise<void> {
    // L1 first: what it includes is awaited on L2.
    see(await layers.l1.fresh());
    see(await layers.l2.fresh());
    for (const hash of [...others.keys()].slice(0, Math.max(0, others.size - MAX_FOREIGN_RECEIPTS)))
      others.delete(hash);
  }

  async function submit(key: Hex, item: Item, at: number): Promise<void> {
    const { hash, nonce } = await layers[item.layer].send(key, item);
    open.set(hash, { hash, nonce, key, item, at });
  }

  /** Sends again those whose nonce another transaction has: the pool dropped them. */
  async function sendLost(): Promise<void> {
    const late = all().filter(({ item, at }) => item.layer === 'l2' && now() - at >= NONCE_CHECK_AFTER_MS);
    if (late.length === 0 || now() - askedAt < NONCE_CHECK_AFTER_MS) return;
    askedAt = now();
    const nonces = new Map<Hex, number>();
    for (const key of new Set(late.map((each) => each.key))) nonces.set(key, await layers.l2.nonceOf(key));
    // Their receipts would be in blocks up to the head whose nonces were read.
    await read();
    for (const { hash, key, item, nonce, at } of late) {
      if (!open.has(hash) || nonce >= (nonces.get(key) ?? 0)) continue;
      open.delete(hash);
      await submit(key, item, at);
    }
  }

  return {
    latencies,
    failed: () => reverted,
    waiting() {
      const sum = { count: open.size, gas: 0n, depositGas: 0n, blobs: 0 };
      for (const { item, isOnL2 } of open.values()) {
        if (item.layer === 'l2') sum.gas += item.gas;
        if (isOnL2 === undefined) sum.depositGas += item.depositGas ?? 0n;
        sum.blobs += item.blobs ?? 0;
      }
      return sum;
    },
    blocks: ({ layer, depositGas }, own) =>
      (depositGas !== undefined && all().some(({ key, item }) => key === own && item.layer === 'l2')) ||
      (layer === 'l2' && all().some(({ key, item }) => key === own && item.depositGas !== undefined)),
    send: (key, item) => submit(key, item, now()),
    async check() {
      await read();
      await sendLost();
    },
  };
}
