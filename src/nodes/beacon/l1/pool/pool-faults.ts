import { quantity } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { RpcClient } from '../../../../rpc/client/client.ts';
import { RpcError } from '../../../../rpc/error.ts';
import type { L1Answer, L1Request, PoolFault, PoolFaultMatch } from '../../../../system/channel/l1-requests.ts';
import type { L1PoolFaults, Waiting } from './l1-pool-faults.ts';
import { sendAgain } from './send-again.ts';
import type { RpcTransaction } from './transaction.ts';

type Pending = Readonly<Record<string, Readonly<Record<string, RpcTransaction>>>>;

/** Fees (wei) of a replacement. Those that L1 would choose depend on how fast it is. */
const REPLACEMENT_FEES = { maxFeePerGas: quantity(100e9), maxPriorityFeePerGas: quantity(1e9) };

/** What a fault does to the pool of a kind of L1. */
export interface PoolEdits {
  /** Method that takes a transaction out of the pool. */
  readonly drop: string;
  /** Puts a transaction into the pool that its sender did not sign. */
  send(from: Hex, fields: Readonly<Record<string, unknown>>): Promise<void>;
  /** @throws Error if no transaction of a sender can be replaced */
  checkReplaceable(from: string): void;
}

/** Edits the pool of anvil, which takes transactions of impersonated accounts. */
export function anvilPoolEdits(rpc: RpcClient): PoolEdits {
  return {
    drop: 'anvil_dropTransaction',
    send: (from, impersonated) => sendAgain(rpc, { from, impersonated }, undefined),
    checkReplaceable() {},
  };
}

/** A transaction in its network form. */
interface Sent {
  readonly from: Hex;
  readonly raw: Hex;
}

/**
 * Faults of L1's pool. A transaction that is held stays in the pool between two blocks and in none of them.
 * All calls come while no block is made but by the caller.
 */
export class PoolFaults implements L1PoolFaults {
  readonly #rpc: RpcClient;
  readonly #edits: PoolEdits;
  readonly #meet: (match: PoolFaultMatch) => void;
  #faults: readonly PoolFault[] = [];
  /** Network forms of transactions that wait for the end of a block. */
  #aside: readonly Sent[] = [];

  /** `meet` is called when a fault has met a transaction. */
  constructor(rpc: RpcClient, edits: PoolEdits, meet: (match: PoolFaultMatch) => void) {
    this.#rpc = rpc;
    this.#edits = edits;
    this.#meet = meet;
  }

  get all(): readonly PoolFault[] {
    return this.#faults;
  }

  /** Adds a fault, or replaces the one of its id. @throws Error if L1 cannot do what the fault wants */
  add(fault: PoolFault): void {
    if (fault.action === 'replace') this.#edits.checkReplaceable(fault.from);
    const others = this.#faults.filter(({ id }) => id !== fault.id);
    this.#faults = [...others, { ...fault, from: fault.from.toLowerCase() }];
  }

  /** Removes the other faults, so that their transactions get into the next block. */
  keep(ids: readonly string[]): void {
    this.#faults = this.#faults.filter(({ id }) => ids.includes(id));
  }

  /** Takes transactions out of the pool before the block of a slot, whose time is in ms. @throws TransportError */
  async before(time: number): Promise<void> {
    this.#faults = this.#faults.filter(({ until }) => until === undefined || time < until);
    if (this.#faults.length === 0) return;
    for (const fault of this.#faults) {
      const waiting = (await this.#waiting()).filter(({ from }) => from.toLowerCase() === fault.from);
      const [next] = waiting.filter(({ nonce }) => fault.nonce === undefined || fault.nonce === nonce);
      if (next !== undefined)
        await this.#apply(
          fault,
          next,
          waiting.filter(({ nonce }) => nonce > next.nonce),
        );
    }
  }

  /** Whether a new block has a transaction that came after `before`, and that a fault is for. @throws TransportError */
  async concerns(transactions: readonly { readonly from: Hex }[]): Promise<boolean> {
    for (const { from, nonce } of this.#faults) {
      if (transactions.every((each) => each.from.toLowerCase() !== from)) continue;
      const used = Number(await this.#rpc.call<Hex>('eth_getTransactionCount', [from, 'latest']));
      if (nonce === undefined || used > nonce) return true;
    }
    return false;
  }

  /** Puts held transactions into the pool again after a block. @throws TransportError */
  async after(): Promise<void> {
    const aside = this.#aside;
    this.#aside = [];
    await this.#send(aside);
  }

  async #apply(fault: PoolFault, next: Waiting, later: readonly Waiting[]): Promise<void> {
    const sent = await this.#forms([next, ...later]);
    // anvil would try those with later nonces in the next block, and forget them.
    for (const { hash } of [next, ...later]) await this.#rpc.call(this.#edits.drop, [hash]);
    const { nonce } = next;
    if (fault.action === 'hold') {
      this.#aside = [...this.#aside, ...sent];
      if (fault.nonce !== undefined) return;
      this.#faults = this.#faults.map((each) => (each.id === fault.id ? { ...each, nonce } : each));
      this.#meet({ fault: fault.id, nonce, isOver: false });
      return;
    }
    this.#faults = this.#faults.filter(({ id }) => id !== fault.id);
    this.#meet({ fault: fault.id, nonce, isOver: true });
    if (fault.action === 'replace') await this.#replace(next);
    await this.#send(sent.slice(1));
  }

  async #forms(waiting: readonly Waiting[]): Promise<readonly Sent[]> {
    const forms = waiting.map(async ({ hash, from }) => {
      const raw = await this.#rpc.call<Hex | null>('eth_getRawTransactionByHash', [hash]);
      return raw === null ? [] : [{ from, raw }];
    });
    return (await Promise.all(forms)).flat();
  }

  /** Sends transactions again. One that its sender has replaced or sent meanwhile is refused. */
  async #send(transactions: readonly Sent[]): Promise<void> {
    for (const { from, raw } of transactions)
      await sendAgain(this.#rpc, { from }, raw).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
      });
  }

  /** Uses the nonce of a transaction for a payment of nothing to its sender, which the sender did not sign. */
  #replace({ from, nonce }: Waiting): Promise<void> {
    const fields = { from, to: from, value: '0x0', gas: '0x5208', nonce: quantity(nonce), ...REPLACEMENT_FEES };
    return this.#edits.send(from, fields);
  }

  /** Finds a transaction of the pool. @throws TransportError */
  async find(hash: string): Promise<Waiting | undefined> {
    return (await this.#waiting()).find((each) => each.hash === hash);
  }

  /** Returns the transactions of the pool by their nonces. */
  async #waiting(): Promise<readonly Waiting[]> {
    const { pending, queued } = await this.#rpc.call<{ pending: Pending; queued: Pending }>('txpool_content');
    const waiting = [pending, queued].flatMap((part) =>
      Object.values(part).flatMap((byNonce) =>
        Object.entries(byNonce).map(([nonce, { hash, from }]) => ({ hash, from, nonce: Number(nonce) })),
      ),
    );
    return waiting.sort((one, other) => one.nonce - other.nonce);
  }
}

/** Does what a request wants of the pool. @throws TransportError */
export async function changePool(
  faults: L1PoolFaults,
  request: Extract<L1Request, { do: 'find' | 'pool' | 'keep-pool' }>,
): Promise<L1Answer> {
  if (request.do === 'find') {
    const { hash } = request;
    const waiting = await faults.find(hash);
    if (waiting === undefined) return { kind: 'refused', why: { kind: 'transaction', hash } };
    return { kind: 'found', from: waiting.from, nonce: waiting.nonce };
  }
  if (request.do === 'pool') faults.add(request.fault);
  else faults.keep(request.ids);
  return { kind: 'pool-faults', faults: faults.all };
}
