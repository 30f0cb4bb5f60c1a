/** Genesis time and block times of a network, seconds. */
export interface Rhythm {
  readonly genesisTime: number;
  readonly l1BlockTime: number;
  readonly l2BlockTimes: readonly number[];
}

/** Returns the first time (ms) after `after` at which a block of L1 or of a chain is due. */
export function nextInstant({ genesisTime, l1BlockTime, l2BlockTimes }: Rhythm, after: number): number {
  const genesis = genesisTime * 1000;
  const next = (seconds: number) => genesis + nextMultiple(seconds * 1000, after - genesis);
  return Math.min(...[l1BlockTime, ...l2BlockTimes].map(next));
}

/** Returns the first positive multiple above `value`. */
function nextMultiple(unit: number, value: number): number {
  return Math.max(1, Math.floor(value / unit) + 1) * unit;
}
