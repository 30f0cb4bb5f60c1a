/** Parts of a replay. reth: `TraceType`. */
export const TRACE_TYPES = ['trace', 'stateDiff', 'vmTrace'] as const;

export type TraceType = (typeof TRACE_TYPES)[number];
