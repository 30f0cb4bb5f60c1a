import type { Spec } from './spec.ts';

/** Unix seconds of genesis, of L1 and L2: so long before now that every chain's first block is due at once. */
export function genesisTimeOf(spec: Pick<Spec, 'time' | 'chains'>, now: number): number {
  if (spec.time.genesis !== 'now') return spec.time.genesis;
  return Math.floor(now) - Math.max(1, ...Object.values(spec.chains).map(({ blockTime }) => blockTime ?? 1));
}
