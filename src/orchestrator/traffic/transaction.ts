import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Account,
  BaseError,
  type Client,
  createClient,
  custom,
  type Hex,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getTransactionReceipt, sendTransaction } from 'viem/actions';
import { present } from '../../protocol/present.ts';
import { transportErrorIn } from '../../rpc/client/client.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { clientFor } from '../probe/call.ts';
import { sendRawTransaction } from './raw-transaction.ts';

/** An execution client as viem's actions take it, without an account. */
export type Chain = Client<Transport, undefined>;

/** The same with an account that signs. */
export type Wallet = Client<Transport, undefined, Account>;

export interface TransactionRequest {
  /** Absent: it creates a contract. */
  readonly to?: Hex;
  /** wei */
  readonly value?: bigint;
  readonly data?: Hex;
  /** Default: estimated. */
  readonly gas?: bigint;
  /** Default: the next one, pending transactions included. */
  readonly nonce?: number;
}

/** Time (ms) between two requests for a receipt. */
const RECEIPT_POLL_MS = 50;

/**
 * Time limit (ms) of one request for a transaction.
 * While anvil loads the trusted setup at its first blob it answers nothing, on a busy machine for more than 10 s.
 */
export const TRANSACTION_TIMEOUT_MS = 60_000;

/** Shortest time limit (ms) of one request, however short the time for the whole is. */
const MIN_REQUEST_MS = 10_000;

/**
 * Returns the execution client at a URL for viem's actions. Its connection is that of the probes.
 * `timeoutMs`: the time for all requests together; one of them takes at most that, or 10 s.
 */
export function chainAt(url: string, timeoutMs = TRANSACTION_TIMEOUT_MS): Chain {
  return createClient({ transport: transportTo(url, timeoutMs), pollingInterval: RECEIPT_POLL_MS });
}

/** Returns the same for actions that sign with a private key. */
export function walletAt(url: string, privateKey: Hex, timeoutMs = TRANSACTION_TIMEOUT_MS): Wallet {
  const account = privateKeyToAccount(privateKey);
  return createClient({ account, transport: transportTo(url, timeoutMs), pollingInterval: RECEIPT_POLL_MS });
}

function transportTo(url: string, wholeMs: number) {
  const client = clientFor(url);
  const timeoutMs = Math.min(Math.max(wholeMs, MIN_REQUEST_MS), TRANSACTION_TIMEOUT_MS);
  const request = ({ method, params }: { readonly method: string; readonly params: readonly Hex[] }) =>
    method === 'eth_sendRawTransaction'
      ? sendRawTransaction(client, present(params[0], 'transaction of a request'), timeoutMs)
      : client.call(method, params, { timeoutMs });
  return custom({ request }, { retryCount: 0 });
}

/** Signs and sends a transaction. Returns its hash. @throws as {@link withNextNonce} */
export function send(wallet: Wallet, request: TransactionRequest): Promise<Hex> {
  return withNextNonce(request.nonce, () => sendTransaction(wallet, { ...request, chain: null }));
}

/** Words of clients for a nonce that another transaction has. */
export const NONCE_TAKEN = /nonce too low|already imported|already known|underpriced/i;

/** Attempts if another program takes the nonce between its reading and the transaction. */
const MAX_NONCE_ATTEMPTS = 5;

/**
 * Sends a transaction of the account's next nonce. Does so again while another program takes that nonce first.
 * @throws Failure `transaction` with the client's words; what was thrown if the client does not answer
 */
export async function withNextNonce<T>(nonce: number | undefined, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (transportErrorIn(error) !== undefined) throw error;
      const words = wordsOf(error);
      const isTaken = NONCE_TAKEN.test(words);
      if (nonce === undefined && isTaken && count < MAX_NONCE_ATTEMPTS) continue;
      throw new Failure('transaction', `the transaction was refused: ${words}`);
    }
  }
}

/**
 * Waits for the receipt of a transaction, at most so many milliseconds. `check` runs before each request and ends the
 * wait with its failure.
 */
export type ReceiptOf = (
  chain: Chain | Wallet,
  hash: Hex,
  timeoutMs: number,
  check?: () => Promise<void>,
) => Promise<TransactionReceipt>;

/**
 * Waits until a transaction is in a block. A client that does not answer for a while may be one that restarts.
 * @throws Failure `receipt` (exit 3) if it is not in time; what was thrown if there is no answer then
 */
export const receiptOf: ReceiptOf = async (chain, hash, timeoutMs, check = async () => {}) => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      await check();
      return await getTransactionReceipt(chain, { hash });
    } catch (error) {
      const isSilent = transportErrorIn(error) !== undefined;
      const isOver = performance.now() >= deadline;
      if (isSilent ? isOver : !(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
    if (performance.now() >= deadline)
      throw new Failure(
        'receipt',
        `transaction ${hash} is not in a block after ${Math.round(timeoutMs / 100) / 10} s`,
        {
          exit: EXIT.notReady,
          hint: 'run `devnet status` to see whether the network makes blocks',
        },
      );
    await sleep(RECEIPT_POLL_MS);
  }
};

/** Returns the words of the client that refused, without viem's notes on the request. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : String(error);
  // An error of viem's own has no details, whatever its type says.
  return error.details || error.shortMessage;
}
