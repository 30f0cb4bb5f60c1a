import * as z from 'zod/mini';
import { choice, key, whole, withDescription } from '../../spec/schema/words.ts';
import { GAME_STATES, readGame } from '../../traffic/games/games.ts';
import { chainAt } from '../../traffic/transaction.ts';
import { defineExpectation } from '../expectation.ts';
import { address } from '../words.ts';

/** A dispute game is in a state. */
export const game = defineExpectation({
  name: 'game',
  schema: z.strictObject({
    of: withDescription(address, 'its address on L1'),
    is: withDescription(choice(...GAME_STATES), 'its state'),
    claims: key(whole(1, 1000), 'claims in it: one more than the moves'),
  }),
  async begin({ of, is, claims }, run) {
    return async () => {
      const view = await readGame(chainAt(run.plan().network.l1.rpc), of);
      const evidence = { ...view };
      if (view.state !== is) return { holds: false, because: `the game ${of} is ${view.state}`, evidence };
      if (claims !== undefined && view.claims !== claims)
        return { holds: false, because: `the game ${of} has ${view.claims} claims`, evidence };
      return { holds: true, evidence };
    };
  },
});
