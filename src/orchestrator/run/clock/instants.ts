/** Genesis time and block times of a network, seconds. */
export interface Rhythm {
  readonly genesisTime: number;
  readonly l1BlockTime: number;
  readonly l2BlockTimes: readonly number[];
}

/** Returns the first time (ms) after `after` at which a block of L1 or of a chain is due. */
export function nextInstant(rhythm: Rhythm, after: number): number {
  const all = [rhythm.l1BlockTime, ...rhythm.l2BlockTimes];
  return Math.min(...all.map((blockTime) => nextBlockTime(rhythm, blockTime, after)));
}

/** Returns the first time (ms) after `after` at which a block of one block time (seconds) is due. */
export function nextBlockTime({ genesisTime }: Rhythm, blockTime: number, after: number): number {
  return genesisTime * 1000 + nextMultiple(blockTime * 1000, after - genesisTime * 1000);
}

/** Returns the first positive multiple above `value`. */
function nextMultiple(unit: number, value: number): number {
  return Math.max(1, Math.floor(value / unit) + 1) * unit;
}
