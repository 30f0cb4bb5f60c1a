import { BaseError, ContractFunctionRevertedError, type Hex } from 'viem';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { ChainView, Plan } from '../../plan/plan.ts';
import { tryFinalize } from '../../traffic/finalization.ts';
import { forgeWithdrawal, proveForged } from '../../traffic/games/forged-withdrawal.ts';
import { readGame, readGames } from '../../traffic/games/games.ts';
import { keyOf } from '../../traffic/payer.ts';
import { walletAt, wordsOf } from '../../traffic/transaction.ts';
import { receiptsOf, untilHolds } from '../run.ts';
import type { Evidence, Run } from '../step.ts';

/** Games among which the one of a step is target. */
const NEWEST_GAMES = 200;

/** A withdrawal that was never made, and the game of the false output that has it. */
export interface ForgedWish {
  /** Index of the account that sends the proof. */
  readonly from: number;
  /** Absent: the account. */
  readonly to: Hex | undefined;
  /** wei */
  readonly value: bigint;
  readonly game: Hex;
}

/**
 * Proves a forged withdrawal against the game of a false output, and expects L1 to refuse its finalization.
 * It waits until the game is over.
 * @throws Failure `forged` if L1 would pay it out, `late` if the game is not over in time
 */
export async function refusedInTime(
  run: Pick<Run, 'signal' | 'time'>,
  plan: Plan,
  chain: ChainView,
  { from, to, value, game }: ForgedWish,
  timeoutMs: number,
): Promise<Evidence> {
  const onL1 = walletAt(plan.network.l1.rpc, keyOf(chain, from));
  const portal = chain.contracts.l1['OptimismPortal'] ?? '0x';
  const forged = forgeWithdrawal(to ?? onL1.account.address, value);
  const all = await readGames(onL1, chain, NEWEST_GAMES);
  const target = all.find(({ address }) => address.toLowerCase() === game.toLowerCase());
  if (target === undefined)
    throw new Failure('no-game', `${game} is none of the newest ${NEWEST_GAMES} games of ${chain.name}`);
  if (target.root !== forged.root)
    throw new Failure('no-game', `the output of game ${game} has no withdrawal of this amount to this receiver`, {
      hint: 'give value and to as to the step `proposer: { lie: … }`',
    });
  const deadline = run.time.now() + timeoutMs;
  const left = () => Math.max(1, deadline - run.time.now());
  let hash: Hex | undefined;
  try {
    hash = await proveForged(onL1, portal, target.index, forged);
  } catch (error) {
    if (!isRevert(error))
      throw new Failure('transaction', `the proof could not be sent: ${wordsOf(error)}`, { cause: error });
    return { game, state: target.state, refused: wordsOf(error).split('\n')[0] };
  }
  const { status, blockNumber } = await receiptsOf(run)(onL1, hash, left());
  if (status !== 'success') return { game, state: target.state, refused: `the proof ${hash} reverted` };
  const proof = { hash, block: Number(blockNumber) };
  return untilHolds(run, left(), async () => {
    const { state } = await readGame(onL1, target.address);
    const refusal = await tryFinalize(onL1, portal, forged.withdrawal).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (refusal === undefined)
      throw new Failure('forged', `L1 would pay out the forged withdrawal: the defender wins game ${game}`, {
        exit: EXIT.failed,
        data: { game, proven: proof },
      });
    const refused = wordsOf(refusal.error).split('\n')[0];
    // Before that the reason is the age of the proof, or a game that is not over.
    if (state === 'challenger-wins' && isRevert(refusal.error))
      return { holds: true, evidence: { game, state, proven: proof, refused } };
    return { holds: false, because: `game ${game} is ${state}, and L1 says: ${refused}` };
  });
}

/** Whether L1 has executed a call and reverted it. An account without ether, or a client that is away, says nothing. */
function isRevert(error: unknown): boolean {
  return error instanceof BaseError && error.walk((each) => each instanceof ContractFunctionRevertedError) !== null;
}
