import type { RpcClient } from '../../rpc/client/client.ts';
import { httpClient } from '../../rpc/client/http-client.ts';
import { jsonField } from '../../rpc/json-object.ts';
import { pause } from '../../system/time/pause.ts';

/** Pause (ms) between two readings of a member, and the time that it has to answer. */
const LOOK_EVERY_MS = 150;
const MEMBER_TIMEOUT_MS = 1000;

/** How a member answered. */
export interface MemberState {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly isActive: boolean;
  readonly head: MemberBlock;
  readonly safe: MemberBlock;
  /** Time of the head in Unix ms of the network's clock. */
  readonly headTime: number;
}

interface MemberBlock {
  readonly number: number;
  readonly hash: string;
}

/** A sequencer of the set: its rollup node and execution client, and how they answered last. */
export class Member {
  readonly name: string;
  readonly cl: string;
  readonly el: string;
  readonly #node: RpcClient;
  readonly #execution: RpcClient;
  #state: MemberState | undefined;

  constructor({ name, cl, el }: Pick<Member, 'name' | 'cl' | 'el'>) {
    this.name = name;
    this.cl = cl;
    this.el = el;
    this.#node = httpClient({ url: cl });
    this.#execution = httpClient({ url: el });
  }

  /** Undefined until both of its processes have answered. */
  get state(): MemberState | undefined {
    return this.#state;
  }

  /** Whether both of its processes have answered within so many milliseconds. */
  isHealthy(within: number): boolean {
    return this.#state !== undefined && performance.now() - this.#state.at <= within;
  }

  /** Counts the last answer as one of now: this program stood still meanwhile. */
  renew(): void {
    if (this.#state !== undefined) this.#state = { ...this.#state, at: performance.now() };
  }

  /** Looks at the member until aborted. `onLook` is called after each answer or failure. */
  async watch(signal: AbortSignal, onLook: () => void): Promise<void> {
    while (!signal.aborted) {
      await this.look().catch(() => undefined);
      onLook();
      await pause(LOOK_EVERY_MS, signal);
    }
  }

  /** Asks both processes once. @throws if one does not answer */
  async look(): Promise<MemberState> {
    const at = performance.now();
    const [isActive, status] = await Promise.all([
      this.#call('admin_sequencerActive'),
      this.#call('optimism_syncStatus'),
      this.#ask('eth_blockNumber', []),
    ]);
    const [head, safe] = [jsonField(status, 'unsafe_l2'), jsonField(status, 'safe_l2')];
    const headTime = Number(jsonField(head, 'timestamp')) * 1000;
    // The leases may have been renewed since this look began.
    const last = Math.max(at, this.#state?.at ?? 0);
    this.#state = { at: last, isActive: isActive === true, head: blockOf(head), safe: blockOf(safe), headTime };
    return this.#state;
  }

  /** Asks its execution client for the hash of a block of its chain; undefined: it has none of that number. */
  async hashAt(number: number): Promise<string | undefined> {
    return hashIn(await this.#ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]), 'hash');
  }

  /** Asks its execution client for the parent of a block; undefined: it does not know the block. */
  async parentOf(hash: string): Promise<string | undefined> {
    return hashIn(await this.#ask('eth_getBlockByHash', [hash, false]), 'parentHash');
  }

  /** Asks its execution client for the hashes of a block's transactions; none if it has no such block. */
  async transactionsAt(number: number): Promise<readonly string[]> {
    const block = await this.#ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    const hashes = jsonField(block, 'transactions');
    return Array.isArray(hashes) ? hashes.map(String) : [];
  }

  stop(): Promise<unknown> {
    return this.#call('admin_stopSequencer');
  }

  start(head: string): Promise<unknown> {
    return this.#call('admin_startSequencer', [head]);
  }

  post(envelope: unknown): Promise<unknown> {
    return this.#call('admin_postUnsafePayload', [envelope]);
  }

  sendTransaction(raw: string): Promise<unknown> {
    return this.#ask('eth_sendRawTransaction', [raw]);
  }

  close(): void {
    this.#node.close();
    this.#execution.close();
  }

  #call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#node.call(method, params, { timeoutMs: MEMBER_TIMEOUT_MS });
  }

  #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#execution.call(method, params, { timeoutMs: MEMBER_TIMEOUT_MS });
  }
}

const blockOf = (value: unknown): MemberBlock => ({
  number: Number(jsonField(value, 'number')),
  hash: String(jsonField(value, 'hash')),
});

/** Reads a hash of a block; undefined if there is no block. */
export function hashIn(block: unknown, field: 'hash' | 'parentHash'): string | undefined {
  const hash = jsonField(block, field);
  return typeof hash === 'string' ? hash : undefined;
}
