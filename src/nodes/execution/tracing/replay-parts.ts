/** What a replay can be asked to show. */
export const REPLAY_PARTS = ['trace', 'stateDiff', 'vmTrace'] as const;

export type ReplayPart = (typeof REPLAY_PARTS)[number];
