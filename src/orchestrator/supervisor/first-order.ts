import type { ProcessIdentity } from '../../system/process/identity.ts';
import type { ClockState } from '../../system/time/clock.ts';
import type { Order } from '../control/supervisor-protocol.ts';
import type { Render } from '../folder/files.ts';
import type { GuardClient } from '../guard/client.ts';
import type { Plan } from '../plan/plan.ts';
import type { Event } from '../state/events.ts';

/** What a session needs of its process. */
export interface SessionIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guard: GuardClient;
  readonly render: Render;
  /** Resolves with the text of a large file from the command line, undefined if it sends none. */
  text(path: string): Promise<string | undefined>;
  /** Sends an event to the command line, while it is connected. */
  tell(event: Event): void;
  readonly interrupt: AbortSignal;
  readonly kill: AbortController;
}

/** The order that begins a session. */
export type FirstOrder = Extract<Order, { kind: 'up' | 'resume' }>;

/** The same, with the identity of this process. */
export interface OwnIo extends SessionIo {
  readonly self: ProcessIdentity;
}

/** What a session begins with. */
export interface OpenedPlan {
  readonly plan: Plan;
  /** The network's time when its first process starts. */
  readonly clock: ClockState;
  /** Whether a user had stopped the clock: it stands until a user resumes it. */
  readonly isPaused: boolean;
}
