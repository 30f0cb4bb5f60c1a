import { BaseError, decodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChainView, Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { type ForgedWish, refusedInTime } from '../../../../src/orchestrator/scenario/games/refused-withdrawal.ts';
import { forgeWithdrawal } from '../../../../src/orchestrator/traffic/games/forged-withdrawal.ts';
import { answerOfGames, type Game } from '../games.ts';
import { LEDGER_BLOCK, type Ledger, servedLedger } from '../ledger.ts';
import { twoChains } from '../read/two-chains.ts';
import { standingTime } from '../served-devnet.ts';

const TO: Hex = `0x${'22'.repeat(20)}`;
const PORTAL: Hex = `0x${'44'.repeat(20)}`;
const KEYS: readonly Hex[] = ['1', '2'].map((digit): Hex => `0x${'0'.repeat(63)}${digit}`);
const GAME: Hex = `0x${'ab'.repeat(20)}`;
const VALUE = 5n;
const FACTORY: Hex = `0x${'33'.repeat(20)}`;

const WITHDRAWAL = '(uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data)';
const PROOF = '(bytes32 version, bytes32 stateRoot, bytes32 messagePasserStorageRoot, bytes32 latestBlockhash)';
const PORTAL_ABI = parseAbi([
  `function proveWithdrawalTransaction(${WITHDRAWAL} tx, uint256 game, ${PROOF} proof, bytes[] withdrawalProof)`,
]);

let l1: Ledger;
let game: Game;
/** Whether the portal would pay out, by the number of the request. */
let pays: (count: number) => boolean;
/** Whether L1 fails to execute the portal's call, by the number of the request. */
let fails: (count: number) => boolean;
beforeAll(async () => {
  l1 = await servedLedger();
});
afterAll(() => {
  l1[Symbol.dispose]();
});
beforeEach(() => {
  game = { address: GAME, root: forgeWithdrawal(TO, VALUE).root, block: 3, state: 'challenger-wins', claims: 2 };
  pays = () => false;
  fails = () => false;
  let count = 0;
  const other = { ...game, address: `0x${'cd'.repeat(20)}` as const, root: `0x${'00'.repeat(32)}` as const };
  const portal = () => (fails(++count) ? { message: 'header not found' } : pays(count) ? ('0x' as const) : undefined);
  const call = (to: string, data: Hex) =>
    answerOfGames([other, game, other], to, data) ?? (to === PORTAL ? portal() : undefined);
  Object.assign(l1, { status: 'success', includes: true, refuses: false, call });
  l1.taken.length = 0;
});

/** Proves a forged withdrawal, within 300 ms of the network. `passed` is called as time passes. */
function refused(wish: Partial<ForgedWish> = {}, passed: () => void = () => undefined) {
  const plan = twoChains({ contracts: { l1: { OptimismPortal: PORTAL, DisputeGameFactory: FACTORY }, l2: {} } });
  const onL1 = { ...plan.network.l1, rpc: l1.url };
  const planned: Plan = { ...plan, network: { ...plan.network, l1: onL1 } };
  const chain: ChainView = planned.network.chains[0]!;
  let now = 5000;
  const time = standingTime({
    now: () => now,
    async pass(ms) {
      now += ms;
      passed();
    },
  });
  const run = { time, signal: new AbortController().signal };
  return refusedInTime(run, planned, chain, { from: 1, to: TO, value: VALUE, game: GAME, ...wish }, 300);
}

describe('a forged withdrawal', () => {
  it('is proved against its game, and refused when the challenger has won', async () => {
    expect(await refused()).toEqual({
      ...{ game: GAME, state: 'challenger-wins', refused: expect.stringMatching(/revert/) },
      proven: { hash: l1.taken[0]?.hash, block: LEDGER_BLOCK },
    });
    const { args } = decodeFunctionData({ abi: PORTAL_ABI, data: l1.taken[0]!.data });
    expect(l1.taken).toMatchObject([{ to: PORTAL, value: 0n }]);
    expect([args[0], args[1]]).toEqual([forgeWithdrawal(TO, VALUE).withdrawal, 1n]);
  });

  it('is of a game whose address is given in capitals', async () => {
    const capitals = GAME.toUpperCase().replace('0X', '0x') as Hex;
    expect(await refused({ game: capitals })).toMatchObject({ game: capitals, state: 'challenger-wins' });
  });

  it('goes to the account without a receiver', async () => {
    const account = privateKeyToAddress(KEYS[1]!);
    game = { ...game, root: forgeWithdrawal(account, VALUE).root };
    expect(await refused({ to: undefined })).toMatchObject({ state: 'challenger-wins' });
    await expect(refused()).rejects.toMatchObject({ code: 'no-game' });
  });

  it('waits until its game is over', async () => {
    game = { ...game, state: 'in-progress' };
    let passed = 0;
    const outcome = refused({}, () => {
      passed += 1;
      if (passed === 2) game = { ...game, state: 'challenger-wins' };
    });
    expect(await outcome).toMatchObject({ state: 'challenger-wins', refused: expect.any(String) });
    expect(passed).toBe(2);
  });

  it('is late when its game is not over in time', async () => {
    game = { ...game, state: 'in-progress' };
    await expect(refused()).rejects.toMatchObject({
      ...{
        code: 'late',
        message: expect.stringMatching(new RegExp(`^not within 0.3 s: game ${GAME} is in-progress, .* says: .`)),
      },
    });
  });

  it('fails when L1 would pay it out', async () => {
    pays = () => true;
    game = { ...game, state: 'defender-wins' };
    await expect(refused()).rejects.toMatchObject({
      ...{ code: 'forged', exit: 1, data: { game: GAME, proven: { block: LEDGER_BLOCK } } },
      message: `L1 would pay out the forged withdrawal: the defender wins game ${GAME}`,
    });
  });

  it('is refused if L1 does not take its proof, or reverts it', async () => {
    l1.refuses = true;
    expect(await refused()).toEqual({ game: GAME, state: 'challenger-wins', refused: expect.stringMatching(/revert/) });
    Object.assign(l1, { refuses: false, status: 'reverted' });
    game = { ...game, state: 'in-progress' };
    const outcome = await refused();
    expect(outcome).toEqual({ game: GAME, state: 'in-progress', refused: `the proof ${l1.taken[0]?.hash} reverted` });
  });

  it('fails when its proof does not get to the portal, which then has refused nothing', async () => {
    l1.refuses = 'insufficient funds for gas * price + value';
    await expect(refused()).rejects.toMatchObject({
      ...{ code: 'transaction', message: expect.stringMatching(/^the proof could not be sent: .*insufficient funds/) },
      cause: expect.any(BaseError),
    });
    expect(l1.taken).toEqual([]);
  });

  it('is not refused by a call that L1 failed to execute: it is tried again', async () => {
    let passed = 0;
    fails = (count) => count < 3;
    expect(await refused({}, () => void passed++)).toMatchObject({ refused: expect.stringMatching(/revert/) });
    expect(passed).toBe(2);
    fails = () => true;
    await expect(refused()).rejects.toMatchObject({
      code: 'late',
      message: expect.stringContaining('header not found'),
    });
  });

  it('is late when no block has its proof in time', async () => {
    l1.includes = false;
    await expect(refused()).rejects.toMatchObject({ code: 'late' });
  });

  it('needs its game among those of the chain, with its amount', async () => {
    await expect(refused({ game: `0x${'99'.repeat(20)}` })).rejects.toMatchObject({
      ...{ code: 'no-game', message: `0x${'99'.repeat(20)} is none of the newest 200 games of main` },
    });
    await expect(refused({ value: VALUE + 1n })).rejects.toMatchObject({
      code: 'no-game',
      message: `the output of game ${GAME} has no withdrawal of this amount to this receiver`,
      hint: 'give value and to as to the step `proposer: { lie: … }`',
    });
    expect(l1.taken).toEqual([]);
  });
});
