/** What a replay can be asked to show. */
export const TRACE_TYPES = ['trace', 'stateDiff', 'vmTrace'] as const;

export type TraceType = (typeof TRACE_TYPES)[number];
