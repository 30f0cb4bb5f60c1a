import type { WhileUp } from '../../orchestrator/devnet/network-end.ts';
import { type Devnet as Found, viewOf } from '../../orchestrator/devnet/select.ts';
import { chainOf } from '../../orchestrator/devnet/select-chain.ts';
import { receiptsOf } from '../../orchestrator/scenario/run.ts';
import { timeOf } from '../../orchestrator/scenario/time.ts';
import { warpingTime } from '../../orchestrator/scenario/warping-time.ts';
import {
  type ContinuationWish,
  FINALIZATION_TIMEOUT_MS,
  WITHDRAWAL_GAS,
  type WithdrawalWish,
  withdrawInTime,
} from '../../orchestrator/scenario/withdraw.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import { deposit } from '../../orchestrator/traffic/deposit.ts';
import { fund } from '../../orchestrator/traffic/fund.ts';
import { runLoad } from '../../orchestrator/traffic/load/load.ts';
import { keyOf } from '../../orchestrator/traffic/payer.ts';
import { walletAt } from '../../orchestrator/traffic/transaction.ts';
import type { Devnet } from './devnet-types.ts';
import { translateErrors } from './errors.ts';
import type { ContinueRequest, OnChain, WithdrawRequest } from './traffic-types.ts';

/** Time (ms) within which a transaction must be in a block. */
const RECEIPT_TIMEOUT_MS = 60_000;

/** Number of transactions of a load without a number and a time. */
const DEFAULT_COUNT = 20;

/** Makes what sends transactions to a network. */
export function trafficOf(
  io: Io,
  running: () => Found,
  untilEnd: WhileUp,
): Pick<Devnet, 'load' | 'fund' | 'deposit' | 'withdraw'> {
  const on = ({ chain }: OnChain) => {
    const { plan } = viewOf(running());
    return { plan, chain: chainOf(plan, chain) };
  };
  const bounded = <T>(work: (end: AbortSignal) => Promise<T>) => translateErrors(io, () => untilEnd(work));
  return {
    load: ({
      kind = 'transfers',
      count,
      duration,
      tps,
      seed = 0,
      timeout = RECEIPT_TIMEOUT_MS,
      signal,
      ...where
    } = {}) =>
      bounded(async (end) => {
        const { plan, chain } = on(where);
        const { pass, now } = await timeOf(running, plan, end);
        const number = count ?? (duration === undefined ? DEFAULT_COUNT : undefined);
        const request = { kind, count: number, forMs: duration, tps, seed, timeoutMs: timeout, pass, now };
        return runLoad(plan, chain, { ...request, signal: AbortSignal.any([end, ...(signal ? [signal] : [])]) });
      }),
    fund: ({ address, value, timeout = RECEIPT_TIMEOUT_MS, ...where }) =>
      bounded(async (signal) => {
        const { plan, chain } = on(where);
        const run = { signal, time: await timeOf(running, plan, signal) };
        return fund(plan, chain, { address, amount: value }, timeout, receiptsOf(run));
      }),
    deposit: ({
      to,
      value = 0n,
      mint = value,
      data = '0x',
      gas = 200_000n,
      from = 0,
      timeout = RECEIPT_TIMEOUT_MS,
      ...where
    }) =>
      bounded(async (signal) => {
        const { plan, chain } = on(where);
        const run = { signal, time: await timeOf(running, plan, signal) };
        const wallet = walletAt(plan.network.l1.rpc, keyOf(chain, from));
        return deposit(plan, chain, wallet, { to, value, mint, gas, data }, timeout, receiptsOf(run));
      }),
    withdraw: (request) =>
      bounded(async (signal) => {
        const { from = 0, warp, timeout = FINALIZATION_TIMEOUT_MS } = request;
        const { plan, chain } = on(request);
        const time = await (warp === true ? warpingTime : timeOf)(running, plan, signal);
        return withdrawInTime({ signal, time }, plan, chain, wishOf(request, from), timeout);
      }),
  };
}

function wishOf(request: WithdrawRequest | ContinueRequest, from: number): WithdrawalWish | ContinuationWish {
  if ('initiated' in request) return { from, initiated: request.initiated };
  const { to, value, data = '0x', gas = WITHDRAWAL_GAS } = request;
  return { from, to, value, data, gas };
}
