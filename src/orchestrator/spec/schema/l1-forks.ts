import * as z from 'zod/mini';
import { L1_HARDFORKS, L1_LATER_FORKS, type L1ForkTimes, type L1Hardfork } from '../../../protocol/genesis/inputs.ts';
import { forkTime } from './codecs.ts';
import { type ForkClock, type ForkTime, forkSeconds } from './values.ts';
import { key, whole, withDescription } from './words.ts';

type LaterFork = (typeof L1_LATER_FORKS)[number];

/** The fork of an L1 whose spec names none. */
export const DEFAULT_L1_FORK: L1Hardfork = 'prague';

/** Makes one optional key for each of these forks. */
function keyEach<N extends string, T extends z.ZodMiniType>(forks: readonly N[], type: T) {
  const keys = forks.map((fork) => [fork, z.exactOptional(type)]);
  return Object.fromEntries(keys) as { [fork in N]: z.ZodMiniExactOptional<T> };
}

/** One optional key for each fork that L1 can activate after its genesis. */
export const l1ForkTimes = keyEach(L1_LATER_FORKS, forkTime);

/** Blobs of the blocks of a fork of L1. */
const blobCounts = withDescription(
  z.strictObject({
    target: withDescription(whole(0, 1000), 'blobs of a block at which the blob fee stays as it is'),
    max: withDescription(whole(1, 1000), 'blobs that a block can have'),
    baseFeeUpdateFraction: key(
      whole(1, Number.MAX_SAFE_INTEGER),
      'excess blob gas that makes the blob fee e times as high; default: that of the fork on mainnet',
    ),
  }),
  'the blobs of the blocks from this fork on',
);

/** The blobs of each fork of L1 (EIP-7840). */
export const l1BlobSchedule = z.strictObject(
  keyEach<L1Hardfork | LaterFork, typeof blobCounts>([...L1_HARDFORKS, ...L1_LATER_FORKS], blobCounts),
);

/** When the forks of an L1 activate, as its spec says it. */
export interface L1ForksSpec {
  readonly hardfork: L1Hardfork;
  readonly forks: { readonly [fork in LaterFork]?: ForkTime };
}

/** Forks that are active at genesis because the base is. */
export function l1BasedOn(base: L1Hardfork): readonly string[] {
  return L1_HARDFORKS.slice(0, L1_HARDFORKS.indexOf(base) + 1);
}

/** Returns the activation times (Unix seconds) of the forks of L1 after its base. */
export function l1TimesOf({ hardfork, forks }: L1ForksSpec, clock: ForkClock): L1ForkTimes {
  const times: { [name in LaterFork]?: number } = {};
  for (const fork of L1_LATER_FORKS) {
    const time = forks[fork];
    const seconds = time === undefined ? undefined : forkSeconds(time, clock);
    if (seconds !== undefined && !l1BasedOn(hardfork).includes(fork)) times[fork] = seconds;
  }
  return times;
}
