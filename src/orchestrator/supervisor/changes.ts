import { createMutex } from '../../system/time/mutex.ts';
import { networkCheckpoints } from '../checkpoints/checkpoints.ts';
import { gateCheckpoints } from '../checkpoints/gate-checkpoints.ts';
import { snapshots } from '../checkpoints/snapshots.ts';
import type { ClockServer } from '../clock/clock-server.ts';
import type { TimeControl } from '../clock/time-control.ts';
import { stillStarting } from '../control/refusals.ts';
import type { Plan } from '../plan/plan.ts';
import type { Network } from '../processes/network.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { Paths } from '../state/paths.ts';
import type { OwnIo } from './first-order.ts';
import { nodeActions } from './node-action.ts';
import type { RequestParts } from './request-handlers.ts';

/** What changes of a running network work on. */
export interface ChangeParts {
  readonly paths: Paths;
  readonly io: OwnIo;
  readonly network: Network;
  readonly record: StateRecord;
  readonly time: TimeControl;
  readonly clock: ClockServer;
  /** Aborted when the network ends. */
  readonly signal: AbortSignal;
  /** The plan in force. */
  plan(): Plan;
  onPlan(plan: Plan): void;
  /** Called when a return to a snapshot without a restart begins (true) and when it ends. */
  onRestore(isUnderWay: boolean): void;
}

/** Returns the changes that requests make, one at a time. Processes ask for some of them by the clock's socket. */
export function changesOf(parts: ChangeParts): Pick<RequestParts, 'node' | 'snapshot'> {
  const { paths, io, network, record, time, clock, signal, plan, onPlan, onRestore } = parts;
  const shared = { paths, network, record, render: io.render, runExclusive: createMutex(), ending: signal, plan };
  clock.serveMoves(async (to) => {
    if (!record.wasReady) throw stillStarting();
    return (await time.warp(to)).at;
  });
  const checkpoints = networkCheckpoints(clock, () => [...network.tasks.values()]);
  const snapshot = snapshots({ ...shared, time, clock, checkpoints, onRestore });
  clock.serveCheckpoints(gateCheckpoints(paths, snapshot));
  return { node: nodeActions({ ...shared, kill: io.kill.signal, onPlan }), snapshot };
}
