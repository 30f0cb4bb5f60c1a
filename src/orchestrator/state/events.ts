import type { TraceMark } from '../../system/channel/trace-marks.ts';
import type { FailureReport } from './failure-report.ts';
import type { NetworkEvent } from './network-event-type.ts';
import type { Phase, Stamps, TaskPhase } from './state.ts';

/** A message of the supervisor to its clients, a line of JSON each. */
export type Event =
  | { readonly event: 'phase'; readonly phase: Phase; readonly stamps: Stamps; readonly at: number }
  | {
      readonly event: 'task';
      readonly task: string;
      readonly phase: TaskPhase;
      readonly pid?: number;
      readonly detail?: string;
      readonly at: number;
    }
  /** A task that the user starts by hand. */
  | { readonly event: 'manual'; readonly task: string; readonly command: string }
  /** Not ready yet: the tasks and conditions that it waits for, every few seconds. */
  | {
      readonly event: 'waiting';
      readonly seconds: number;
      readonly tasks: readonly { readonly task: string; readonly detail: string }[];
    }
  | { readonly event: 'notice'; readonly text: string }
  /** Progress of a warp: times of the network's clock, Unix ms. */
  | { readonly event: 'warp'; readonly from: number; readonly at: number; readonly to: number }
  | { readonly event: 'failure'; readonly failure: FailureReport }
  /** Another devnet of this name runs. */
  | { readonly event: 'taken'; readonly pid: number; readonly since: number }
  /** What happens on the chains, for `devnet watch`. */
  | { readonly event: 'network'; readonly network: NetworkEvent }
  /** A mark of a process, for the traces of blocks. */
  | { readonly event: 'mark'; readonly task: string; readonly mark: TraceMark }
  /** The last event: teardown is over. */
  | {
      readonly event: 'end';
      readonly code: number;
      readonly killed: readonly string[];
      readonly errors: readonly string[];
      readonly kept?: string;
    };

export type Emit = (event: Event) => void;
