/** Parts of a replay. reth: `TraceType`. */
export const TRACE_TYPES = ['trace', 'stateDiff', 'vmTrace'] as const;

/** Name of a part of a replay. */
export type TraceType = (typeof TRACE_TYPES)[number];
