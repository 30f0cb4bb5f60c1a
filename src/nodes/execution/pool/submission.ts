import type { Hex } from '../../../protocol/types.ts';
import { type RpcClient, TransportError } from '../../../rpc/client/client.ts';
import { httpClient } from '../../../rpc/client/http-client.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Logger } from '../../../system/program/log.ts';
import { Scheduler } from '../evm/scheduler.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionCondition } from './condition/condition.ts';
import type { TransactionPool } from './pool.ts';
import { PoolError } from './pool-error.ts';

/** Destination and timeout of submitted transactions. */
export interface SubmissionOptions {
  /** URL that transactions are forwarded to. Absent on the sequencer. */
  readonly sequencer?: string;
  /** Forwarded transactions also enter this node's pool. */
  readonly admission: boolean;
  /** Milliseconds for a response of the sequencer. Default: 10 s. */
  readonly patience?: number;
}

/**
 * Submits users' transactions to the pool or forwards them to the sequencer.
 * Counterparts: `EthAPIBackend.SendTx` of op-geth, `SequencerClient` of op-reth.
 */
export class TransactionSubmission {
  readonly #pool: TransactionPool;
  readonly #sequencer: RpcClient | undefined;
  readonly #admission: boolean;
  readonly #log: Logger;
  /** Decodes the transactions of a burst without delaying other requests. */
  readonly scheduler = new Scheduler();

  constructor(pool: TransactionPool, { sequencer, admission, patience = 10_000 }: SubmissionOptions, log: Logger) {
    this.#pool = pool;
    this.#sequencer = sequencer === undefined ? undefined : httpClient({ url: sequencer, timeoutMs: patience });
    this.#admission = admission;
    this.#log = log;
  }

  /**
   * Submits a transaction. Resolves to its hash.
   * @throws RpcError of the flavour or of the sequencer
   */
  async send(transaction: SignedTransaction, raw: Hex): Promise<Hex> {
    this.#worded(() => this.#pool.checkSubmission(transaction));
    if (this.#sequencer === undefined) this.#worded(() => this.#pool.add(transaction));
    else {
      await this.#forward(this.#sequencer, 'eth_sendRawTransaction', [raw]);
      if (this.#admission) this.#keep(transaction);
    }
    return transaction.hash;
  }

  /** Submits a transaction under a checked condition. `json` is its original JSON. @throws RpcError */
  async sendConditional(
    transaction: SignedTransaction,
    raw: Hex,
    condition: TransactionCondition,
    json: unknown,
  ): Promise<Hex> {
    this.#worded(() => this.#pool.checkSubmission(transaction));
    if (this.#sequencer === undefined) this.#worded(() => this.#pool.add(transaction, { local: true, condition }));
    else await this.#forward(this.#sequencer, 'eth_sendRawTransactionConditional', [raw, json]);
    return transaction.hash;
  }

  close(): void {
    this.#sequencer?.close();
  }

  async #forward(sequencer: RpcClient, method: string, params: readonly unknown[]): Promise<void> {
    try {
      await sequencer.call(method, params);
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
      this.#log.warn('this pool rejects a transaction that the sequencer accepted', { hash, reason: error.message });
    }
  }

  #worded(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      const { code, message } = this.#pool.behaviour.rpcError(error.problem);
      throw new RpcError(code, message);
    }
  }
}
