import type { TaskPhase } from './state.ts';

/** Phases of a task that has not been ready yet, and of which nothing went wrong. */
export const COMING_PHASES: ReadonlySet<string> = new Set<TaskPhase>(['waiting', 'preparing', 'starting', 'manual']);
