import type { Spec } from '../schema/types.ts';

/** Computes the Unix seconds of genesis, of L1 and L2. With `now`, the first block of every chain is due at once. */
export function genesisTimeOf({ time, chains }: Pick<Spec, 'time' | 'chains'>, now: number): number {
  if (time.genesis !== 'now') return time.genesis;
  const blockTimes = Object.values(chains).map(({ from, blockTime }) => (from === null ? blockTime : 1));
  return Math.floor(now) - Math.max(1, ...blockTimes);
}
