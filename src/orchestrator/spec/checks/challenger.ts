import { type Check, chainsOf } from './check.ts';

/** L1 blocks that a challenger needs from a game to its attack. */
const LEAST_L1_BLOCKS = 3;

/** A challenger has games, time to answer in them, and a key of its own. */
export const challengers: Check = (context) => {
  const { blockTime } = context.spec.l1;
  for (const [name, { chainId, proposer }] of chainsOf(context)) {
    if (proposer === null || proposer.challenger === null) continue;
    const path = ['chains', name, 'proposer'];
    const { system, gameClock, challenger } = proposer;
    if (system !== 'dispute-games')
      context.reportKey([...path, 'challenger'], 'value', `outputs of the system ${system} are not challenged`, {
        allowed: 'with system: dispute-games',
        premises: [[...path, 'system']],
      });
    if (gameClock < LEAST_L1_BLOCKS * blockTime)
      context.report([...path, 'gameClock'], 'value', `a clock of ${gameClock} s is over before a challenger answers`, {
        allowed: `at least ${LEAST_L1_BLOCKS * blockTime}: ${LEAST_L1_BLOCKS} blocks of L1`,
        premises: [['l1', 'blockTime']],
      });
    const { key } = challenger;
    const owner = key === undefined ? undefined : context.roleOfKey(chainId, key);
    if (owner !== undefined && owner !== 'challenger')
      context.report([...path, 'challenger', 'key'], 'value', `this is the key of the ${owner} of the chain`, {
        allowed: 'a key of an account of its own',
      });
  }
};
