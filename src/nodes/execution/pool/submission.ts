import type { Hex } from '../../../protocol/types.ts';
import { type RpcClient, TransportError } from '../../../rpc/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import { httpClient } from '../../../rpc/http-client.ts';
import type { Logger } from '../../../system/log.ts';
import { Scheduler } from '../scheduler.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionCondition } from './condition.ts';
import type { TransactionPool } from './pool.ts';
import { PoolError } from './pool-error.ts';

export interface SubmissionOptions {
  /** Where transactions are forwarded to; absent on the sequencer's own node. */
  readonly sequencer?: string;
  /** Keeps what was forwarded in this node's pool too. */
  readonly admission: boolean;
  /** Milliseconds in which the sequencer must answer; default 10 s. */
  readonly patience?: number;
}

/** Where users' transactions come in: into this node's pool, or on to the sequencer. */
export class TransactionSubmission {
  readonly #pool: TransactionPool;
  readonly #sequencer: RpcClient | undefined;
  readonly #admission: boolean;
  readonly #log: Logger;
  readonly #turns = new Scheduler();

  constructor(pool: TransactionPool, { sequencer, admission, patience = 10_000 }: SubmissionOptions, log: Logger) {
    this.#pool = pool;
    this.#sequencer = sequencer === undefined ? undefined : httpClient({ url: sequencer, timeoutMs: patience });
    this.#admission = admission;
    this.#log = log;
  }

  /** Wait for it before a transaction is read: however many come together, other requests are answered between them. */
  turn(): Promise<void> | undefined {
    return this.#turns.next();
  }

  /** Sends a transaction on its way; resolves to its hash. @throws RpcError in the words of the flavour, or the sequencer's own */
  async send(transaction: SignedTransaction, raw: Hex): Promise<Hex> {
    this.#worded(() => this.#pool.checkSubmission(transaction));
    if (this.#sequencer === undefined) this.#worded(() => this.#pool.add(transaction));
    else {
      await this.#forward('eth_sendRawTransaction', [raw]);
      if (this.#admission) this.#keep(transaction);
    }
    return transaction.hash;
  }

  /** The same under a condition, which must have been checked; `given` is how the user wrote it. @throws RpcError */
  async sendConditional(
    transaction: SignedTransaction,
    raw: Hex,
    condition: TransactionCondition,
    given: unknown,
  ): Promise<Hex> {
    this.#worded(() => this.#pool.checkSubmission(transaction));
    if (this.#sequencer === undefined) this.#worded(() => this.#pool.add(transaction, { local: true, condition }));
    else await this.#forward('eth_sendRawTransactionConditional', [raw, given]);
    return transaction.hash;
  }

  close(): void {
    this.#sequencer?.close();
  }

  async #forward(method: string, params: readonly unknown[]): Promise<void> {
    try {
      await this.#sequencer!.call(method, params);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const { unreachable } = this.#pool.behaviour;
      throw new RpcError(unreachable, `cannot forward the transaction to the sequencer: ${error.message}`);
    }
  }

  #keep(transaction: SignedTransaction): void {
    try {
      this.#pool.add(transaction);
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      const { hash } = transaction;
      this.#log.warn('the sequencer took a transaction that this pool does not', { hash, reason: error.message });
    }
  }

  #worded(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      const { code, message } = this.#pool.behaviour.words(error.problem);
      throw new RpcError(code, message);
    }
  }
}
