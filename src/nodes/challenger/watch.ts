import { u256be } from '../../protocol/bytes.ts';
import { hexToSized, sameHex } from '../../protocol/hex.ts';
import type { BlockId, Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import type { Logger } from '../../system/program/log.ts';
import { calldata, view } from '../games/abi.ts';
import { clockOf, type Game, gameAt, implementationOf } from '../games/game.ts';
import { aggregate, MULTICALL3 } from '../games/multicall.ts';
import type { L1Call } from '../txmgr/calls.ts';
import type { L1Backend } from '../txmgr/l1-backend.ts';
import { type GameState, IN_PROGRESS, isOver, readState } from './claims.ts';
import { judge } from './judge.ts';

/** Games below the newest one that are read after a start. */
const LOOK_BACK = 256;
/** Position of an attack on the root claim. */
const FIRST_ATTACK = 2;

/** What a watch of games reads, and for whose games. */
export interface GameWatchParts {
  readonly rpc: RpcClient;
  readonly node: RpcClient;
  readonly l1: Pick<L1Backend, 'head' | 'blockHash'>;
  readonly log: Logger;
  readonly factory: Hex;
  readonly gameType: number;
  /** Account of the challenger. */
  readonly address: Hex;
}

/**
 * Finds the calls that the dispute games of a factory need (op-challenger: `gameMonitor`).
 * A false output is attacked, and its game is resolved when the clocks have run out. There is one move in a game: the
 * proposer's answer to it is not answered again.
 */
export class GameWatch {
  readonly #parts: GameWatchParts;
  /** Games below this index are over. Undefined: at the start. */
  #done: number | undefined;
  #lastHead: BlockId | undefined;
  #clock: number | undefined;
  #bond: bigint | undefined;
  /** Games whose output is true, or that no call helps any more. */
  readonly #settled = new Set<Hex>();

  constructor(parts: GameWatchParts) {
    this.#parts = parts;
  }

  /** Returns the bond of an attack on a root claim, wei. */
  async bond(): Promise<bigint> {
    const { rpc, factory, gameType } = this.#parts;
    const game = await implementationOf(rpc, factory, gameType);
    this.#bond ??= (await view(rpc, game, 'getRequiredBond(uint128)', u256be(FIRST_ATTACK))).bigint(0);
    return this.#bond;
  }

  /** Returns the calls that games need now, the oldest game first. */
  async nextCalls(): Promise<readonly L1Call[]> {
    const { rpc, l1, factory, gameType } = this.#parts;
    this.#clock ??= await clockOf(rpc, factory, gameType);
    const head = await l1.head();
    // A reorganisation may have taken out an attack, or what an output was compared with.
    if (this.#lastHead !== undefined && (await l1.blockHash(this.#lastHead.number)) !== this.#lastHead.hash) {
      this.#done = undefined;
      this.#settled.clear();
    }
    this.#lastHead = { hash: head.hash, number: head.number };
    const count = (await view(rpc, factory, 'gameCount()')).number(0);
    let done = Math.min(this.#done ?? Math.max(0, count - LOOK_BACK), count);
    const calls: L1Call[] = [];
    for (let index = done, isOldest = true; index < count; index++) {
      const game = await gameAt(rpc, factory, index);
      const state = game.type === gameType ? await readState(rpc, game.address) : undefined;
      isOldest &&= state?.status !== IN_PROGRESS;
      if (isOldest) done = index + 1;
      if (state?.status === IN_PROGRESS) calls.push(...(await this.#callsFor(game, state, head.timestamp)));
    }
    this.#done = done;
    return calls;
  }

  async #callsFor(game: Game, state: GameState, now: number): Promise<readonly L1Call[]> {
    const { address: to } = game;
    const clock = this.#clock ?? 0;
    if (state.claims.length > 1)
      return isOver(state.claims, clock, now) ? [resolution(to, state)] : this.#moved(to, state);
    if (this.#settled.has(to)) return [];
    const { node, log } = this.#parts;
    const verdict = await judge(node, game.created, state);
    if (verdict.kind === 'true') this.#settled.add(to);
    if (verdict.kind !== 'false') return [];
    const { block, rootClaim } = state;
    const facts = { game: to, block, rootClaim, honestRoot: verdict.honestRoot };
    if (now - game.created > clock) {
      log.error('A false output cannot be challenged any more: its clock has run out', facts);
      this.#settled.add(to);
      return [];
    }
    const data = calldata('attack(uint256,bytes32)', u256be(0), hexToSized(verdict.honestRoot, 32));
    return [{ to, data, value: await this.bond(), what: `the attack on ${rootClaim} of block ${block}, game ${to}` }];
  }

  #moved(game: Hex, { claims }: GameState): readonly L1Call[] {
    const { address, log } = this.#parts;
    const last = claims.at(-1);
    if (last === undefined || sameHex(last.claimant, address) || this.#settled.has(game)) return [];
    this.#settled.add(game);
    log.error('The attack on a false output was answered: this challenger makes one move in a game', { game });
    return [];
  }
}

/** Resolves the claims of a game from the newest to the root, then the game. */
function resolution(to: Hex, { claims, block }: GameState): L1Call {
  const indices = claims.map((_, index) => index).reverse();
  const calls = indices.map((index) => ({ to, data: calldata('resolveClaim(uint256)', u256be(index)) }));
  const data = aggregate([...calls, { to, data: calldata('resolve()') }]);
  return { to: MULTICALL3, data, what: `the resolution of game ${to} of block ${block}` };
}
