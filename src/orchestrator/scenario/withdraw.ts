import type { Chain, Hex } from 'viem';
import { present } from '../../protocol/present.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { viemChains } from '../environment/viem-chains.ts';
import { endpointsOf } from '../plan/chain/endpoints.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import { keyOf } from '../traffic/payer.ts';
import { walletAt, wordsOf } from '../traffic/transaction.ts';
import {
  type InitiatedWithdrawal,
  type Retry,
  type WithdrawalStep,
  type WithdrawalWaits,
  type Withdrawn,
  withdraw,
} from '../traffic/withdrawal.ts';
import { receiptsOf, untilHolds } from './run.ts';
import type { Run } from './step.ts';

/** Default gas limit on L1. */
export const WITHDRAWAL_GAS = 100_000n;

/** Default time (ms) within which a withdrawal must be finalized. */
export const FINALIZATION_TIMEOUT_MS = 120_000;

/** A withdrawal of a funded account. */
export interface WithdrawalWish {
  /** Index of the account. */
  readonly from: number;
  /** The receiver on L1; undefined: the sender. */
  readonly to: Hex | undefined;
  /** wei */
  readonly value: bigint;
  readonly data: Hex;
  /** Gas limit on L1. */
  readonly gas: bigint;
}

/** A withdrawal that is initiated, and goes on by a funded account. */
export interface ContinuationWish extends InitiatedWithdrawal {
  /** Index of the account, which pays for proof and finalization. */
  readonly from: number;
}

/**
 * Withdraws from a chain to L1 while time goes on. `timeoutMs` is for all steps together, on the network's time.
 * @throws Failure `late` if it is not finalized in time, `withdrawal` if a step fails or nothing arrives
 */
export async function withdrawInTime(
  run: Pick<Run, 'signal' | 'time'>,
  plan: Plan,
  chain: ChainView,
  wish: WithdrawalWish | ContinuationWish,
  timeoutMs: number,
  tell?: WithdrawalWaits['tell'],
): Promise<Withdrawn> {
  const secret = keyOf(chain, wish.from);
  const wallMs = run.time.kind === 'wall' ? timeoutMs : undefined;
  const onL1 = walletAt(plan.network.l1.rpc, secret, wallMs);
  const onL2 = walletAt(endpointsOf(chain).http, secret, wallMs);
  const deadline = run.time.now() + timeoutMs;
  const left = () => Math.max(1, deadline - run.time.now());
  const retry: Retry = async (what, attempt) => {
    const results: Awaited<ReturnType<typeof attempt>>[] = [];
    await untilHolds(run, left(), async () => {
      try {
        results.push(await attempt());
        return { holds: true, evidence: {} };
      } catch (error) {
        return { holds: false, because: `${what}: ${wordsOf(error).replaceAll('\n', ' ')}` };
      }
    });
    return present(results[0], 'result of an attempt that succeeded');
  };
  const receipt: WithdrawalWaits['receipt'] = (layer, hash) => receiptsOf(run)(layer, hash, left());
  let initiated = 'initiated' in wish ? wish.initiated : undefined;
  const done = new Map<WithdrawalStep, Hex>();
  const waits: WithdrawalWaits = {
    ...{ retry, receipt, sent: (hash) => (initiated = hash) },
    tell(step, of) {
      done.set(step, of.transactionHash);
      tell?.(step, of);
    },
  };
  try {
    const start = 'initiated' in wish ? wish : { ...wish, to: wish.to ?? onL2.account.address };
    return await withdraw(chain, { onL1, onL2, l1: chainOfL1(plan) }, start, waits);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'late' || initiated === undefined) throw error;
    throw lateAfter(done, initiated, continueCommand(plan, chain, wish, initiated), timeoutMs, error);
  }
}

/** Returns the command by which the same account goes on with a withdrawal. */
function continueCommand(plan: Plan, { name }: ChainView, { from }: { readonly from: number }, initiated: Hex): string {
  const onChain = plan.network.chains.length > 1 ? ` --chain ${name}` : '';
  return `devnet withdraw --continue ${initiated}${onChain}${from === 0 ? '' : ` --from ${from}`}`;
}

/**
 * What a withdrawal that is late has done. The amount has left L2 once it is initiated, and leaves it when L2 includes
 * the transaction that was sent.
 */
function lateAfter(
  done: ReadonlyMap<WithdrawalStep, Hex>,
  initiated: Hex,
  command: string,
  timeoutMs: number,
  cause: Failure,
): Failure {
  const last = [...done].at(-1);
  const state = last === undefined ? '' : `; it is ${last[0]} by ${last[1]}`;
  return new Failure('late', `the withdrawal is not finalized after ${timeoutMs / 1000} s: ${cause.message}${state}`, {
    exit: EXIT.notReady,
    data: { ...cause.data, initiated, ...Object.fromEntries(done) },
    hint:
      `run \`${command}\`, for another withdrawal would take the amount again; ` +
      "raise its timeout, or let it warp through the delays of the chain's proposer (--warp)",
    cause,
  });
}

/** Returns L1 as viem's actions take it. */
function chainOfL1(plan: Plan): Chain {
  const { contracts, rpcUrls, ...definition } = viemChains(plan).l1;
  return { ...definition, rpcUrls: { default: { http: rpcUrls.default.http } }, contracts };
}
