import type { Hex } from 'viem';
import { transportErrorIn } from '../../../rpc/client/client.ts';
import { depositHashes } from '../deposit.ts';
import type { Item } from './kinds.ts';
import type { Layer, Receipt, Sent } from './layer.ts';
import type { Waiting } from './room.ts';

/** A transaction that waits, and where. A deposit waits on L1 first, then on L2. */
type Open = Sent & { readonly isOnL2?: true };

/** Most receipts of other senders that the tracker holds. */
const MAX_FOREIGN_RECEIPTS = 5000;

/** Time (ms) without inclusion after which the nonce of the sender is read. */
const NONCE_CHECK_AFTER_MS = 3000;

/** Follows the transactions of a load into blocks, deposits into those of L2. */
export class Tracker {
  /** Time (ms) from sending to inclusion of each that is included. */
  readonly latencies: number[] = [];
  readonly #layers: { readonly l1: Layer; readonly l2: Layer };
  readonly #now: () => number;
  readonly #open = new Map<string, Open>();
  /** Receipts on L2 of other senders: deposits may be there before L1's block was read. */
  readonly #foreignReceipts = new Map<string, Receipt>();
  #reverts = 0;
  /** The time at which nonces were read last. */
  #nonceCheckAt: number;

  /** `now`: the time of the network (ms). */
  constructor(layers: { readonly l1: Layer; readonly l2: Layer }, now: () => number) {
    this.#layers = layers;
    this.#now = now;
    this.#nonceCheckAt = now();
  }

  /** Number of transactions that reverted, without those that are meant to. */
  failed(): number {
    return this.#reverts;
  }

  waiting(): Waiting {
    const sum = { count: this.#open.size, gas: 0n, depositGas: 0n, blobs: 0 };
    for (const { item, isOnL2 } of this.#open.values()) {
      if (item.layer === 'l2') sum.gas += item.gas;
      if (isOnL2 === undefined) sum.depositGas += item.depositGas ?? 0n;
      sum.blobs += item.blobs ?? 0;
    }
    return sum;
  }

  /** Returns whether a transaction has to wait for others of its sender, whose nonce on L2 a deposit moves. */
  blocks({ layer, depositGas }: Item, sender: Hex): boolean {
    const others = [...this.#open.values()].filter(({ key }) => key === sender);
    return (
      (depositGas !== undefined && others.some(({ item }) => item.layer === 'l2')) ||
      (layer === 'l2' && others.some(({ item }) => item.depositGas !== undefined))
    );
  }

  /** @throws Failure `load` if the client refuses it */
  send(key: Hex, item: Item): Promise<void> {
    return this.#submit(key, item, this.#now());
  }

  /**
   * Reads new blocks. Sends again what cannot be included any more, because a deposit took its nonce. A client that is
   * away, as a leader that is lost, is asked again at the next check. @throws RpcError, Failure `load` on a refusal
   */
  async check(): Promise<void> {
    try {
      await this.#read();
      await this.#sendLost();
    } catch (error) {
      if (transportErrorIn(error) === undefined) throw error;
    }
  }

  /** Sends a transaction. It replaces `former`, whose nonce is gone, when the client has it. */
  async #submit(key: Hex, item: Item, at: number, former?: Hex): Promise<void> {
    const { hash, nonce } = await this.#layers[item.layer].send(key, item);
    if (former !== undefined) this.#open.delete(former);
    this.#open.set(hash, { hash, nonce, key, item, at });
  }

  async #read(): Promise<void> {
    // L1 first: what it includes is awaited on L2.
    this.#include(await this.#layers.l1.fresh());
    this.#include(await this.#layers.l2.fresh());
    const excess = Math.max(0, this.#foreignReceipts.size - MAX_FOREIGN_RECEIPTS);
    for (const hash of [...this.#foreignReceipts.keys()].slice(0, excess)) this.#foreignReceipts.delete(hash);
  }

  #include(receipts: readonly Receipt[]): void {
    for (const receipt of receipts) {
      const sent = this.#open.get(receipt.transactionHash);
      if (sent === undefined) {
        this.#foreignReceipts.set(receipt.transactionHash, receipt);
        continue;
      }
      const isDone = receipt.status === '0x1';
      // A deposit counts when L2 has it.
      const isDeposit = sent.item.depositGas !== undefined && sent.isOnL2 === undefined;
      const [hash] = isDeposit && isDone ? depositHashes(receipt) : [];
      if (hash === undefined) this.#close(sent, isDone);
      else this.#followOnL2(sent, hash);
    }
  }

  /** Follows a deposit, which L1 included, to its transaction on L2. */
  #followOnL2(sent: Open, hash: Hex): void {
    this.#open.delete(sent.hash);
    const onL2: Open = { ...sent, hash, isOnL2: true };
    const receipt = this.#foreignReceipts.get(hash);
    if (receipt === undefined) this.#open.set(hash, onL2);
    else this.#close(onL2, receipt.status === '0x1');
  }

  #close(sent: Sent, isDone: boolean): void {
    this.#open.delete(sent.hash);
    this.latencies.push(this.#now() - sent.at);
    if (!isDone && !sent.item.burns) this.#reverts += 1;
  }

  /** Sends again those whose nonce another transaction has: the pool dropped them. */
  async #sendLost(): Promise<void> {
    const now = this.#now();
    const late = [...this.#open.values()].filter(
      ({ item, at }) => item.layer === 'l2' && now - at >= NONCE_CHECK_AFTER_MS,
    );
    if (late.length === 0 || now - this.#nonceCheckAt < NONCE_CHECK_AFTER_MS) return;
    this.#nonceCheckAt = now;
    const { l2 } = this.#layers;
    const nonces = new Map<Hex, number>();
    for (const key of new Set(late.map((each) => each.key))) nonces.set(key, await l2.nonceOf(key));
    // Their receipts would be in blocks up to the head whose nonces were read.
    await this.#read();
    for (const { hash, key, item, nonce, at } of late) {
      if (this.#open.has(hash) && nonce < (nonces.get(key) ?? 0)) await this.#submit(key, item, at, hash);
    }
  }
}
