import type { Hex } from '../../protocol/types.ts';
import { type Quiesce, rest } from '../../system/channel/quiesce.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import { type CallSender, type L1Call, sendCalls, warnsOnce } from '../txmgr/calls.ts';
import type { GameWatch } from './watch.ts';

/** What the challenger works with. */
export interface ChallengerDeps extends Omit<CallSender, 'activity'> {
  readonly games: Pick<GameWatch, 'bond' | 'nextCalls'>;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  /** Called with what keeps it from challenging; undefined: nothing. */
  readonly hinders: (reason: string | undefined) => void;
  /** Milliseconds of the clock. */
  readonly pollInterval: number;
}

/** Challenges false outputs until aborted (op-challenger: `Service`). */
export async function runChallenger(deps: ChallengerDeps, signal: AbortSignal): Promise<void> {
  const { l1, sender, games, clock, log, hinders, pollInterval } = deps;
  const activity = clock.activity();
  activity.busy();
  const challenging = warnsOnce(log, 'Cannot challenge now', signal);
  const moving = warnsOnce(log, 'Cannot move now', signal);
  const send = async (call: L1Call) => {
    const [inclusion] = await sendCalls({ l1, sender, activity }, [call], signal);
    if (inclusion === undefined) return false;
    log.info('Sent', { what: call.what, l1: inclusion.blockNumber, hash: inclusion.hash });
    return true;
  };
  while (!signal.aborted) {
    const moved = await challenging(async () => {
      const [balance, bond] = await Promise.all([l1.balance(sender.address), games.bond()]);
      hinders(balance < bond ? poorText(sender.address, balance, bond) : undefined);
      const calls = await games.nextCalls();
      let sent = 0;
      // Calls of different games do not depend on one another: one that reverts hinders no other one.
      for (const call of calls) if (await moving(() => send(call))) sent += 1;
      return sent > 0;
    });
    // A move is read at the head of L1, which has it now.
    if (!moved) await rest(clock, activity, pollInterval, signal);
  }
  activity.idle();
}

function poorText(address: Hex, balance: bigint, bond: bigint): string {
  const has = `the account ${address} of the challenger has ${ether(balance)} ether on L1`;
  return `${has}, and an attack takes a bond of ${ether(bond)}: send it ether on L1`;
}

function ether(wei: bigint): string {
  return (Number(wei) / 1e18).toFixed(4);
}
