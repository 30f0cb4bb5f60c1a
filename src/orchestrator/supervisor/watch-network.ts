import type { TimeControl } from '../clock/time-control.ts';
import { Observer } from '../divergence/watch/observer.ts';
import type { Faults } from '../faults/faults.ts';
import { HealthWatch } from '../health/watch.ts';
import type { Plan } from '../plan/plan.ts';
import type { Network } from '../processes/network.ts';
import type { NetworkEvents } from '../record/network-events.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import type { Paths } from '../state/paths.ts';
import type { L1Control } from './actions/l1-control.ts';
import { divergenceReports } from './divergence-reports.ts';

/** What the watch of a network reads, and where it tells what it finds. */
export interface WatchParts {
  readonly paths: Paths;
  readonly plan: () => Plan;
  readonly network: Network;
  readonly record: StateRecord;
  readonly events: NetworkEvents;
  readonly time: TimeControl;
  readonly l1: L1Control;
  readonly faults: Faults;
  /** Aborted when the network ends. */
  readonly signal: AbortSignal;
}

/** The watch of a network that is usable. */
export interface NetworkWatch {
  /** Called when a return to a snapshot begins (true) and ends: heads go back in between. */
  returning(isUnderWay: boolean): void;
  /** Called when the plan in force has other nodes than before, or other roles. */
  renew(): void;
}

/**
 * Watches the health of a network whose nodes agree on a first block, compares their heads, and explains divergences.
 */
export function watchNetwork(parts: WatchParts): NetworkWatch {
  const { paths, plan, network, record, events, time, l1, faults, signal } = parts;
  const agreements = new Map<string, number>();
  const keyOf = (chain: string, nodes: readonly string[]) => `${chain} ${nodes.join(' ')}`;
  const emit = (event: NetworkEvent) => {
    events.emit(event);
    if (event.kind === 'divergence') agreements.delete(keyOf(event.chain, event.nodes));
    if (event.kind !== 'agreement') return;
    agreements.set(keyOf(event.chain, event.nodes), event.at);
    record.agreed(event.chain, event.nodes, event.at);
  };
  const diverged = divergenceReports({
    ...{ folder: paths.folder, plan, emit: events.emit, keep: (report) => record.report(report), signal },
    // The nodes may agree again before the report is written.
    agreedAt: (chain, nodes) => agreements.get(keyOf(chain, nodes)),
    notice: (text) => record.emit({ event: 'notice', text }),
  });
  const watch = new HealthWatch({
    plan: plan(),
    tasks: network.tasks,
    folder: paths.folder,
    clock: time,
    stall: () => l1.stalled,
    report(problems) {
      record.problems(problems);
      events.problems(problems, (task) => network.tasks.get(task)?.phase);
    },
    faultOf: (task) => faults.causeOf(task),
    observer: new Observer({ plan, emit, diverged }),
    signal,
  });
  // A command is answered after `status` shows what it did.
  l1.onChange(() => watch.lookNow());
  return { returning: (isUnderWay) => watch.returning(isUnderWay), renew: () => watch.renew(plan()) };
}
