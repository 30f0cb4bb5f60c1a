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

/** Returns the number of blocks that are due between two times (ms), the first excluded. */
export function blocksBetween({ genesisTime }: Rhythm, blockTime: number, from: number, to: number): number {
  const due = (time: number) => Math.max(0, Math.floor((time / 1000 - genesisTime) / blockTime));
  return due(to) - due(from);
}

/** Returns the first positive multiple above `value`. */
function nextMultiple(unit: number, value: number): number {
  return Math.max(1, Math.floor(value / unit) + 1) * unit;
}
