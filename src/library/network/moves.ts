import { getBalance } from 'viem/actions';
import { readClock } from '../../orchestrator/change/warp.ts';
import { isoInstant } from '../../orchestrator/clock/warp.ts';
import { type Devnet as Found, viewOf } from '../../orchestrator/devnet/select.ts';
import { endpointsOf } from '../../orchestrator/plan/chain/endpoints.ts';
import type { ChainView } from '../../orchestrator/plan/plan.ts';
import { leaderIn, readLeaders } from '../../orchestrator/status/leaders.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import { chainAt } from '../../orchestrator/traffic/transaction.ts';
import type { Devnet } from './devnet-types.ts';
import { DevnetError, translateErrors } from './errors.ts';
import type { RollupMoves } from './test-actions.ts';

/** Returns what the test client of a rollup does to its network. */
export function movesOf(io: Io, net: Devnet, running: () => Found, view: ChainView): RollupMoves {
  const { name: chain, blockTime } = view;
  const warp = async (to: string) => {
    const { complete, at } = await net.warp(to, { chain });
    if (!complete) throw new DevnetError('warp', `the warp to ${to} was ended before, at ${isoInstant(at)}`);
  };
  return {
    blockTime,
    async mine(blocks) {
      const { genesisTime } = viewOf(running()).plan;
      const { at } = await translateErrors(io, () => readClock(running()));
      const block = Math.floor((at / 1000 - genesisTime) / blockTime) + blocks;
      await warp(`block:${block}`);
      const leader = leaderIn(view, await readLeaders(viewOf(running()).plan));
      await net.waitFor(`block:${block}`, leader && { node: `${chain}/${leader.name}` });
    },
    increaseTime: (seconds) => warp(`+${seconds}s`),
    warpTo: (time) => warp(`time:${time}`),
    balanceOf: (address) => getBalance(chainAt(endpointsOf(view).http), { address }),
    fund: async (address, value) => void (await net.fund({ address, value, chain })),
  };
}
