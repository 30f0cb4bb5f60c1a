import { bytesToHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { TransportError } from '../../rpc/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/log.ts';
import { pause } from '../../system/pause.ts';
import type { Account } from './account.ts';
import { bumpFees, exceeds, suggestFees } from './fees.ts';
import type { Inclusion, L1 } from './l1.ts';
import { refusalOf } from './refusal.ts';
import { type BlobSidecar, dataGas, type Fees, signTransaction } from './transaction.ts';

/** What shall be on L1, whatever its fees and nonce. */
export interface Candidate {
  readonly to: Hex;
  readonly data: Uint8Array;
  readonly sidecar?: BlobSidecar;
  /** Gas limit; absent: what the data costs when no code runs. */
  readonly gas?: number;
  /** What is sent, for the log. */
  readonly what: string;
}

export interface SenderOptions {
  /** L1 blocks from inclusion on, itself counted, before a transaction counts as there. */
  readonly confirmations: number;
  /** Time without inclusion after which fees are raised, ms. */
  readonly resubmissionTimeout: number;
  /** Time from one look at L1 to the next, ms. */
  readonly pollInterval: number;
  /** Fees stop rising past this multiple of what the market asks. */
  readonly feeLimitMultiplier: number;
}

/** Sends transactions from one account, any number at once, and sees each through: fee rises, drops, reorganisations, restarts of L1. */
export interface L1Sender {
  readonly address: Hex;
  /**
   * Candidates get consecutive nonces in the order of the calls. Resolves when the transaction is included and confirmed, also where it failed there. Undefined when aborted.
   * @throws Failure `l1-refused` where L1 will never take it
   */
  send(candidate: Candidate, signal: AbortSignal): Promise<Inclusion | undefined>;
}

/** Attempts of one candidate: all have one nonce, so that at most one of them is ever included. */
interface Attempts {
  readonly nonce: number;
  readonly hashes: Hex[];
  fees: Fees;
  raw: Hex;
  /** When the last one was sent, performance time. */
  sentAt: number;
}

/** Waits after a failure of L1, ms; warnings about the same state come no more often than every 30 s. */
const RETRY_WAIT = 500;
const WARN_EVERY = 30_000;

export function l1Sender(l1: L1, account: Account, options: SenderOptions, log: Logger): L1Sender {
  const { address } = account;
  /** Nonces of the candidates under way. */
  const live = new Set<number>();
  /** Candidates get their nonces one after another. */
  let turn: Promise<unknown> = Promise.resolve();
  let chainId: number | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;

  function warnSometimes(message: string, fields: Record<string, unknown>): void {
    const now = performance.now();
    if (now - warnedAt < WARN_EVERY) return;
    warnedAt = now;
    log.warn(message, fields);
  }

  function sign(candidate: Candidate, nonce: number, fees: Fees) {
    const { to, data, sidecar, gas = dataGas(data) } = candidate;
    return signTransaction(account, { chainId: chainId!, nonce, gas, to, data, fees, sidecar });
  }

  /** The lowest nonce that is neither used nor taken by a candidate under way. */
  async function takeNonce(): Promise<number> {
    let nonce = await l1.nonce(address);
    while (live.has(nonce)) nonce++;
    live.add(nonce);
    return nonce;
  }

  /** The first attempt of a candidate, in its turn. */
  function begin(candidate: Candidate, onNonce: (nonce: number) => void): Promise<Attempts> {
    const begun = turn.then(async () => {
      chainId ??= await l1.chainId();
      const fees = suggestFees(await l1.market());
      const nonce = await takeNonce();
      onNonce(nonce);
      return offer(candidate, nonce, fees, [], 0);
    });
    turn = begun.catch(() => {});
    return begun;
  }

  /** Sends again with fees above those that L1 has not included. */
  async function raise(candidate: Candidate, attempts: Attempts): Promise<Attempts> {
    const market = suggestFees(await l1.market());
    const fees = bumpFees(attempts.fees, market, candidate.sidecar !== undefined);
    if (!exceeds(fees, market, options.feeLimitMultiplier))
      return offer(candidate, attempts.nonce, fees, attempts.hashes, 0);
    warnSometimes('Fees are not raised further', { fee: fees.maxFeePerGas, market: market.maxFeePerGas });
    return { ...attempts, sentAt: performance.now() };
  }

  /** Sends; where another transaction of the nonce waits in the pool, above its fees. */
  async function offer(
    candidate: Candidate,
    nonce: number,
    fees: Fees,
    hashes: Hex[],
    rises: number,
  ): Promise<Attempts> {
    const { hash, raw } = sign(candidate, nonce, fees);
    try {
      await l1.send(raw);
    } catch (error) {
      const refusal = error instanceof RpcError ? refusalOf(error.message) : undefined;
      if (refusal === 'underpriced' && rises < 6)
        return offer(candidate, nonce, bumpFees(fees, fees, candidate.sidecar !== undefined), hashes, rises + 1);
      // Without an answer it may have arrived all the same: the next look tells.
      if (error instanceof TransportError) warnSometimes('L1 does not answer', { error });
      else if (refusal !== 'known') throw error;
    }
    if (!hashes.includes(hash)) hashes.push(hash);
    log.debug('Sent to L1', { what: candidate.what, hash, nonce, maxFeePerGas: fees.maxFeePerGas });
    return { nonce, hashes, fees, raw, sentAt: performance.now() };
  }

  /** One look at L1: the confirmed inclusion, or the attempts as they stand now. */
  async function look(candidate: Candidate, attempts: Attempts): Promise<Inclusion | Attempts | undefined> {
    const included = await l1.inclusion(attempts.hashes);
    if (included !== undefined) {
      const confirmations = (await l1.head()).number - included.blockNumber + 1;
      return confirmations >= options.confirmations ? included : attempts;
    }
    if ((await l1.nonce(address)) > attempts.nonce) {
      // Ours may have been included between the two questions.
      if ((await l1.inclusion(attempts.hashes)) !== undefined) return attempts;
      log.warn('Another transaction took the nonce, sending again', { what: candidate.what, nonce: attempts.nonce });
      return undefined;
    }
    if (performance.now() - attempts.sentAt >= options.resubmissionTimeout) {
      log.info('Not included in time, raising fees', { what: candidate.what, nonce: attempts.nonce });
      return raise(candidate, attempts);
    }
    if (!(await l1.knows(attempts.hashes.at(-1)!))) {
      log.info('L1 dropped the transaction, sending it again', { what: candidate.what, hash: attempts.hashes.at(-1) });
      return offer(candidate, attempts.nonce, attempts.fees, attempts.hashes, 0);
    }
    return attempts;
  }

  /** Says what an error of L1 means; rethrows what cannot be waited out. */
  async function recover(error: unknown, candidate: Candidate): Promise<void> {
    if (error instanceof TransportError) {
      warnSometimes('L1 does not answer', { error });
      return;
    }
    if (!(error instanceof RpcError)) throw error;
    const refusal = refusalOf(error.message);
    // The next look tells who used it.
    if (refusal === 'nonce-used') return;
    if (refusal === 'funds') {
      const balance = await l1.balance(address).catch(() => undefined);
      warnSometimes('The account cannot pay for the transaction: send it ETH on L1', { address, balance, error });
      return;
    }
    if (refusal === 'final')
      throw new Failure('l1-refused', `L1 refuses ${candidate.what}`, {
        data: { to: candidate.to, data: bytesToHex(candidate.data.subarray(0, 64)), bytes: candidate.data.length },
        cause: error,
      });
    warnSometimes('L1 does not take the transaction now', { error });
  }

  return {
    address,
    async send(candidate, signal) {
      let attempts: Attempts | undefined;
      let nonce: number | undefined;
      const release = () => {
        if (nonce !== undefined) live.delete(nonce);
        nonce = undefined;
        attempts = undefined;
      };
      try {
        while (!signal.aborted) {
          try {
            if (attempts === undefined) {
              release();
              attempts = await begin(candidate, (taken) => {
                nonce = taken;
              });
            } else {
              const seen: Inclusion | Attempts | undefined = await look(candidate, attempts);
              if (seen !== undefined && 'blockHash' in seen) return seen;
              attempts = seen;
              if (attempts === undefined) continue;
            }
            await pause(options.pollInterval, signal);
          } catch (error) {
            if (signal.aborted) break;
            await recover(error, candidate);
            await pause(RETRY_WAIT, signal);
          }
        }
        return undefined;
      } finally {
        release();
      }
    },
  };
}
