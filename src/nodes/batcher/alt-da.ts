import { commitmentTransaction } from '../../protocol/derivation/da-commitment.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import { type Quiesce, rest } from '../../system/channel/quiesce.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import { backoff } from '../../system/time/backoff.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { DaPut } from '../da/put.ts';
import { Semaphore } from './semaphore.ts';

/**
 * Stores data of a batcher transaction elsewhere and resolves with its commitment (op-alt-da: `SetInput`).
 * Rejects when aborted.
 */
export type Store = (data: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/** First and longest pause between attempts to store, ms. */
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 4000;

/**
 * Stores on a DA server with retries and at most `requests` requests in flight (op-batcher: `publishToAltDAAndL1`).
 * Pauses are time of the clock, so that equal runs store with equal steps.
 */
export function storeOn(put: DaPut, requests: number, log: Logger, clock: Clock & Quiesce): Store {
  const slots = new Semaphore(requests);
  return async (data, signal) => {
    const release = await slots.acquire();
    const activity = clock.activity();
    activity.busy();
    try {
      const pauses = backoff(MIN_RETRY_MS, MAX_RETRY_MS);
      while (!signal.aborted) {
        try {
          const commitment = await put(data);
          log.debug('Put on the DA server', { commitment: commitment.encoded, bytes: data.length });
          return commitmentTransaction(commitment);
        } catch (error) {
          if (pauses.isNews(error)) log.warn('The DA server does not take the data, trying again', { error });
        }
        await rest(clock, activity, pauses.next(), signal);
      }
      throw new Error('aborted');
    } finally {
      activity.idle();
      release();
    }
  };
}

/**
 * Checks that the rollup reads commitments of the kind that the DA server makes.
 * @throws Failure `alt-da` if the rollup has no alternative DA, or commitments of another kind
 */
export function checkAltDa({ config: { alt_da: config } }: Rollup, isService: boolean): void {
  const refuse = (problem: string) => new Failure('alt-da', `batcher: ${problem}`, { exit: EXIT.usage });
  if (config === undefined)
    throw refuse('--altda.enabled is given, but the rollup has no alt_da: no node would look for the data');
  const isKeccak = config.da_commitment_type === 'KeccakCommitment';
  if (isKeccak === isService)
    throw refuse(
      `--altda.da-service is ${isService}, but the commitments of the rollup are of type ${config.da_commitment_type}`,
    );
}
