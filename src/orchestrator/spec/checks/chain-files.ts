import { type Check, chainsOf } from './check.ts';

/** What an existing chain's files say. */
const SAID = ['chainId', 'blockTime', 'gasLimit', 'forks', 'systemConfig'];

/** An existing chain is as its files say. */
export const chainFiles: Check = (context) => {
  for (const [name, { from }] of chainsOf(context)) {
    if (from === null) continue;
    for (const key of SAID.filter((each) => context.isGiven(['chains', name, each])))
      context.reportKey(
        ['chains', name, key],
        'chain-files',
        `${key} is said by the chain's own files, ${from.rollup} and ${from.genesis}`,
      );
  }
};
