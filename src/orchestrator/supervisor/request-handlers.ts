import { EXIT } from '../../system/failure.ts';
import type { ClockReading } from '../clock/reading.ts';
import type { TimeControl } from '../clock/time-control.ts';
import type { WarpResult } from '../clock/warp.ts';
import { stillStarting } from '../control/refusals.ts';
import type {
  ClockAction,
  Handlers,
  NodeRequest,
  NodeSetRequest,
  SequencerRequest,
  SkewRequest,
  SnapshotRequest,
} from '../control/requests.ts';
import type { EndAnswer } from '../control/supervisor-protocol.ts';
import type { Faults } from '../faults/faults.ts';
import type { Plan } from '../plan/plan.ts';
import type { StateRecord } from '../record/state-record.ts';
import { heldFinality } from '../state/faults.ts';
import { changeFaults } from './actions/change-faults.ts';
import type { L1Control, L1Stall } from './actions/l1-control.ts';
import type { Finish } from './finish.ts';

/** What requests of the control socket read and change. */
export interface RequestParts {
  readonly record: StateRecord;
  readonly time: TimeControl;
  readonly faults: Faults;
  /** The plan in force. */
  readonly plan: () => Plan;
  readonly node: (request: NodeRequest) => Promise<unknown>;
  readonly nodes: (request: NodeSetRequest, ending: AbortSignal) => Promise<unknown>;
  readonly sequencer: (request: SequencerRequest, ending: AbortSignal) => Promise<unknown>;
  readonly skew: (request: SkewRequest) => { readonly tasks: readonly string[] };
  readonly snapshot: (request: SnapshotRequest) => Promise<unknown>;
  readonly l1: L1Control;
  /** Aborted by a teardown that kills at once. */
  readonly kill: AbortController;
  readonly finish: (finish: Finish) => void;
  /** Rejects with the failure that ends the network: the answer to each change under way. */
  readonly failed: Promise<never>;
  /** Resolves when the devnet has ended: the answer to the request that ends it. */
  readonly ended: Promise<EndAnswer>;
}

/** Returns what answers each request of the control socket. The schema of each stands in `control/requests.ts`. */
export function requestHandlers(parts: RequestParts): Handlers {
  const { record, time, l1, faults, kill, finish, failed, ended } = parts;
  const change = <T>(work: Promise<T>): Promise<T> => Promise.race([work, failed]);
  const clock = clockHandlers(time);
  const mustBeReady = () => {
    if (!record.wasReady) throw stillStarting();
  };
  const end = (how: Finish['how']) => {
    finish({ how, code: EXIT.done });
    return ended;
  };
  return {
    state: async () => ({ state: record.state() }),
    node: (request) => change(parts.node(request)),
    nodes: (request, ending) => change(parts.nodes(request, ending)),
    sequencer: (request, ending) => change(parts.sequencer(request, ending)),
    async skew(request) {
      mustBeReady();
      return parts.skew(request);
    },
    snapshot: (request) => change(parts.snapshot(request)),
    async clock({ action }) {
      if (action !== 'read') mustBeReady();
      return change(Promise.resolve(clock[action]()));
    },
    async warp({ to }, ending) {
      mustBeReady();
      return change(time.warp(to, ending));
    },
    async jump({ to, rate }) {
      mustBeReady();
      time.jump(to, rate);
      return time.read();
    },
    async l1({ action, ms }, ending) {
      const stalled = (stall: L1Stall | undefined) => ({ stalled: stall ?? null });
      if (action === 'stall') return change(l1.stall(ms).then(stalled));
      if (action === 'resume') return change(l1.resume().then(stalled));
      await change(l1.resumed(ending));
      return stalled(l1.stalled);
    },
    reorg: ({ depth, drop }) => change(l1.reorganise(depth, drop, heldFinality(faults.document))),
    async faults(request) {
      if (request.action !== 'read') mustBeReady();
      const ids = await change(changeFaults({ faults, l1, plan: parts.plan() }, request));
      return { faults: faults.document, ids };
    },
    stop: () => end('stop'),
    down(request) {
      if (request.kill) kill.abort();
      return end(request.keepData ? 'keep' : 'down');
    },
  };
}

/** What each action on the clock does. The answer is the clock's reading, or the result of a move. */
function clockHandlers(time: TimeControl): Readonly<Record<ClockAction, () => ClockAnswer>> {
  const afterwards = (act: () => void) => () => {
    act();
    return time.read();
  };
  return {
    read: () => time.read(),
    step: () => time.step(),
    end: afterwards(() => time.end()),
    pause: afterwards(() => time.pause()),
    resume: afterwards(() => time.resume()),
    async settle() {
      await time.settle();
      return time.read();
    },
  };
}

type ClockAnswer = ClockReading | Promise<ClockReading | WarpResult>;
