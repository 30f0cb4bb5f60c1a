import type { Mutex } from '../../system/time/mutex.ts';
import type { ChannelServer } from '../channel/channel-server.ts';
import { networkCheckpoints } from '../checkpoints/checkpoints.ts';
import { gateCheckpoints } from '../checkpoints/gate-checkpoints.ts';
import { snapshots } from '../checkpoints/snapshots.ts';
import type { TimeControl } from '../clock/time-control.ts';
import { stillStarting } from '../control/refusals.ts';
import type { Plan } from '../plan/plan.ts';
import type { Network } from '../processes/network.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { Paths } from '../state/paths.ts';
import { clockSkews } from './actions/clock-skews.ts';
import { sequencerMoves } from './actions/move-sequencer.ts';
import { nodeActions } from './actions/node-action.ts';
import { nodeSet } from './actions/node-set.ts';
import type { OwnIo } from './first-order.ts';
import type { RequestParts } from './request-handlers.ts';

/** What changes of a running network work on. */
export interface ChangeParts {
  readonly paths: Paths;
  readonly io: OwnIo;
  readonly network: Network;
  readonly record: StateRecord;
  readonly time: TimeControl;
  readonly channel: ChannelServer;
  /** Changes take turns. */
  readonly runExclusive: Mutex;
  /** Aborted when the network ends. */
  readonly signal: AbortSignal;
  /** The plan in force. */
  plan(): Plan;
  /** Puts a plan in force: its links listen when it resolves. */
  onPlan(plan: Plan): Promise<void>;
  /** Called when a return to a snapshot without a restart begins (true) and when it ends. */
  onRestore(isUnderWay: boolean): void;
  /** Called when the plan in force has other nodes, or other roles. */
  onNodes(): void;
}

/** Returns the changes that requests make, one at a time. Processes order some of them by their channel. */
export function changesOf(
  parts: ChangeParts,
): Pick<RequestParts, 'node' | 'nodes' | 'sequencer' | 'skew' | 'snapshot'> {
  const { paths, io, network, record, time, channel, runExclusive, signal, plan, onPlan, onRestore, onNodes } = parts;
  const shared = { paths, network, record, render: io.render, runExclusive, ending: signal, plan };
  channel.clock.serveMoves(async (to) => {
    if (!record.wasReady) throw stillStarting();
    return (await time.warp(to)).at;
  });
  const checkpoints = networkCheckpoints(channel, () => [...network.tasks.values()]);
  const snapshot = snapshots({ ...shared, time, channel, checkpoints, onRestore });
  channel.checkpoints.serveOrders(gateCheckpoints(paths, snapshot));
  const actions = { ...shared, kill: io.kill.signal, onPlan };
  return {
    node: nodeActions(actions),
    nodes: nodeSet({ ...actions, self: io.self, time, onNodes }),
    skew: clockSkews({ plan, record, clock: channel.clock }),
    sequencer: sequencerMoves({ ...actions, self: io.self, time, onNodes }),
    snapshot,
  };
}
