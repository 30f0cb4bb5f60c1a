import type { Plan } from '../plan/plan.ts';

/** Genesis time and block times of a network, seconds. */
export interface Rhythm {
  readonly genesisTime: number;
  readonly l1BlockTime: number;
  readonly l2BlockTimes: readonly number[];
}

/** Returns the rhythm of a plan's network. */
export function rhythmOf({ genesisTime, network }: Plan): Rhythm {
  return {
    genesisTime,
    l1BlockTime: network.l1.blockTime,
    l2BlockTimes: network.chains.map(({ blockTime }) => blockTime),
  };
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

/** Returns a time (ms) to the second, as ISO 8601. */
export function isoInstant(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
