import { forksOf, type L1Forks } from '../../../protocol/forks/l1-forks.ts';
import { L1_HARDFORKS, type L1Hardfork } from '../../../protocol/genesis/inputs.ts';

/** Returns the forks of an L1 that is at one of them from genesis on. */
export function forksAtGenesis(hardfork: L1Hardfork): L1Forks {
  const past = L1_HARDFORKS.slice(0, L1_HARDFORKS.indexOf(hardfork) + 1);
  return forksOf({ shanghaiTime: 0, ...Object.fromEntries(past.map((name) => [`${name}Time`, 0])) });
}
