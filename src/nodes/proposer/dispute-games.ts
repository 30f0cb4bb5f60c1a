import { u256be } from '../../protocol/bytes.ts';
import { hexToSized } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { Failure } from '../../system/failure.ts';
import { bytesTail, calldata, mustHaveCode, view } from '../games/abi.ts';
import type { L1Backend } from '../txmgr/l1-backend.ts';
import { gameResolver } from './game-resolver.ts';
import type { ProposalTarget } from './proposal-target.ts';

/** Settings of proposals as dispute games. */
export interface GamesConfig {
  readonly factory: Hex;
  readonly gameType: number;
  /** Seconds between two games. */
  readonly interval: number;
  /** Resolve unchallenged games whose clock has expired. */
  readonly resolve: boolean;
}

/**
 * Proposes each output as a dispute game of a DisputeGameFactory (op-proposer: `FetchDGFOutput`, `ProposalTx`).
 * Any block can be proposed.
 */
export function disputeGames(
  rpc: RpcClient,
  l1: Pick<L1Backend, 'head' | 'blockHash'>,
  config: GamesConfig,
): ProposalTarget {
  const { factory, gameType } = config;
  const type = u256be(gameType);
  const upkeep = config.resolve ? gameResolver(rpc, l1, config) : () => Promise.resolve(undefined);
  const nextBlockTime = blockTimes(l1);

  /** Returns the newest game of the type. */
  async function latest(): Promise<{ readonly block: number; readonly timestamp: number } | undefined> {
    const count = (await view(rpc, factory, 'gameCount()')).number(0);
    if (count === 0) return undefined;
    const games = await view(
      rpc,
      factory,
      'findLatestGames(uint32,uint256,uint256)',
      ...[type, u256be(count - 1), u256be(1)],
    );
    // A list of one struct: index, metadata, timestamp, root claim, extra data. The extra data is the block number.
    return games.number(1) === 0 ? undefined : { timestamp: games.number(5), block: games.number(9) };
  }

  return {
    address: factory,
    async check() {
      await mustHaveCode(rpc, factory, 'DisputeGameFactory', 'game-factory-address');
      if (/^0x0{40}$/.test((await view(rpc, factory, 'gameImpls(uint32)', type)).address(0)))
        throw new Failure('no-game', `the DisputeGameFactory at ${factory} has no game of type ${gameType}`, {
          data: { factory, gameType },
          hint: 'check --game-type: 1 is the permissioned game',
        });
      if ((await view(rpc, factory, 'initBonds(uint32)', type)).number(0) !== 0)
        throw new Failure('bond', `games of type ${gameType} at ${factory} need a bond, and this program pays none`, {
          data: { factory, gameType },
          hint: 'use op-proposer, or set the bond to zero: setInitBond of the factory',
        });
    },
    async proposer() {
      return (await view(rpc, (await view(rpc, factory, 'gameImpls(uint32)', type)).address(0), 'proposer()')).address(
        0,
      );
    },
    async nextBlocks(head) {
      const [game, next] = await Promise.all([latest(), nextBlockTime()]);
      const isDue = game === undefined ? head > 0 : head > game.block && next >= game.timestamp + config.interval;
      return isDue ? [head] : [];
    },
    proposal: (outputRoot, l2BlockNumber) => ({
      to: factory,
      data: calldata(
        'create(uint32,bytes32,bytes)',
        ...[type, hexToSized(outputRoot, 32), u256be(96), bytesTail(u256be(l2BlockNumber))],
      ),
      what: `the game of block ${l2BlockNumber}`,
    }),
    upkeep,
    areGames: true,
  };
}

/** Estimates the timestamp of the next L1 block from the spacing of earlier heads. */
function blockTimes(l1: Pick<L1Backend, 'head'>): () => Promise<number> {
  let last: { readonly number: number; readonly timestamp: number } | undefined;
  let spacing = 0;
  return async () => {
    const head = await l1.head();
    if (last !== undefined && head.number > last.number)
      spacing = (head.timestamp - last.timestamp) / (head.number - last.number);
    last = head;
    return head.timestamp + spacing;
  };
}
