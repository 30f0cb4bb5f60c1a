import type { Hex } from 'viem';
import { present } from '../../protocol/present.ts';
import { messageOf } from '../../system/failure.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import { keyOf } from '../traffic/payer.ts';
import { walletAt } from '../traffic/transaction.ts';
import { type Withdrawn, withdraw } from '../traffic/withdrawal.ts';
import { sequencerOf } from './places.ts';
import { type Run, receiptsOf, untilHolds } from './run.ts';

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

/** Withdraws from a chain to L1 while time goes on. @throws Failure */
export function withdrawInTime(
  run: Pick<Run, 'signal' | 'time'>,
  plan: Plan,
  chain: ChainView,
  { from, to, ...request }: WithdrawalWish,
  timeoutMs: number,
): Promise<Withdrawn> {
  const secret = keyOf(chain, from);
  const onL1 = walletAt(plan.network.l1.direct.rpc, secret);
  const onL2 = walletAt(present(sequencerOf(chain), 'sequencer').el.http, secret);
  const retry = async <T>(what: string, attempt: () => Promise<T>): Promise<T> => {
    const results: T[] = [];
    await untilHolds(run, timeoutMs, async () => {
      try {
        results.push(await attempt());
        return { holds: true, evidence: {} };
      } catch (error) {
        return { holds: false, because: `${what}: ${messageOf(error).split('\n')[0]}` };
      }
    });
    return present(results[0], 'result of an attempt that succeeded');
  };
  return withdraw(
    chain,
    { onL1, onL2 },
    { to: to ?? onL2.account.address, ...request },
    { timeoutMs, retry, receipt: receiptsOf(run) },
  );
}
