import type { TaskKind } from '../../plan/plan.ts';
import type { ClockReport } from './messages.ts';

/** A process that follows the network's clock and is up. */
export interface Follower {
  readonly task: string;
  readonly kind: TaskKind;
  readonly chain: string | undefined;
  readonly isSequencer: boolean;
  /** Undefined before its first report, or while it is not connected. */
  readonly report: ClockReport | undefined;
}

/** A process that is not done with a step, and what it lacks. */
export interface Awaited {
  readonly task: string;
  readonly what: string;
}

/** Order in which the kinds of processes get a step: L1's block first, then blocks of L2, then their batches. */
export const TURNS: readonly (readonly TaskKind[])[] = [['beacon'], ['cl'], ['batcher'], ['proposer']];

/**
 * Lists the processes of some kinds that are not done with a step.
 * l1-beacon has made L1's block. Every rollup node knows it and has derived all of L1, and a sequencer has no block
 * left to make. A verifier has its sequencer's unsafe head, unless it is `apart`: it cannot get it by gossip. Batcher
 * and proposer have nothing left to send.
 */
export function unsettled(
  followers: readonly Follower[],
  kinds: readonly TaskKind[],
  step: number,
  apart: ReadonlySet<string> = new Set(),
): readonly Awaited[] {
  const l1 = followers.find(({ kind }) => kind === 'beacon')?.report?.seen['l1'];
  const heads = new Map(
    followers.filter(({ isSequencer }) => isSequencer).map(({ chain, report }) => [chain, report?.seen['unsafe']]),
  );
  return followers
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((follower) => {
      const what = lacks(follower, step, l1, apart.has(follower.task) ? undefined : heads.get(follower.chain));
      return what === undefined ? [] : [{ task: follower.task, what }];
    });
}

function lacks({ kind, report }: Follower, step: number, l1: Value, unsafe: Value): string | undefined {
  if (report === undefined) return 'has not reported';
  if (report.step < step) return 'is busy';
  if (kind !== 'cl') return undefined;
  const { seen } = report;
  if (l1 !== undefined && seen['l1'] !== l1) return "does not know L1's newest block";
  if (seen['derived'] !== true) return 'derives';
  if (unsafe !== undefined && unsafe !== null && seen['unsafe'] !== unsafe) return GOSSIP;
  return undefined;
}

/** What a verifier lacks that gossip has not reached. */
export const GOSSIP = "does not have the sequencer's newest block";

type Value = ClockReport['seen'][string] | undefined;
