import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  pad,
  parseAbi,
} from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import {
  type ContinuationWish,
  type WithdrawalWish,
  withdrawInTime,
} from '../../../src/orchestrator/scenario/withdraw.ts';
import { EXIT, Failure } from '../../../src/system/failure.ts';
import { recording } from '../../rpc/client/server.ts';
import { someTurns, turnsUntil } from '../turns-until.ts';
import { LEDGER_BLOCK, type Ledger, servedLedger, type Taken } from './ledger.ts';
import { twoChains } from './read/two-chains.ts';
import { standingTime } from './served-devnet.ts';

const PORTAL: Hex = `0x${'44'.repeat(20)}`;
const MESSAGE_PASSER: Hex = `0x4200${'0'.repeat(34)}16`;
const ORACLE: Hex = `0x${'55'.repeat(20)}`;
const FACTORY: Hex = `0x${'33'.repeat(20)}`;
const MULTICALL: Hex = `0x${'66'.repeat(20)}`;
const GAME: Hex = `0x${'99'.repeat(20)}`;
const SENDER = privateKeyToAddress(`0x${'0'.repeat(63)}1`);
const WITHDRAWAL = '(uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data)';
const OUTPUT_PROOF = '(bytes32 version, bytes32 stateRoot, bytes32 storageRoot, bytes32 blockHash)';
const ABI = parseAbi([
  'function version() view returns (string)',
  'function getL2OutputIndexAfter(uint256 block) view returns (uint256)',
  'function getL2Output(uint256 index) view returns ((bytes32 outputRoot, uint128 timestamp, uint128 l2BlockNumber))',
  'function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable',
  `function proveWithdrawalTransaction(${WITHDRAWAL} tx, uint256 output, ${OUTPUT_PROOF} proof, bytes[] nodes)`,
  `function finalizeWithdrawalTransaction(${WITHDRAWAL} tx)`,
]);
const GAMES = parseAbi([
  'function version() view returns (string)',
  'function respectedGameType() view returns (uint32)',
  'function gameCount() view returns (uint256)',
  'struct Game { uint256 index; bytes32 metadata; uint64 timestamp; bytes32 rootClaim; bytes extraData; }',
  'function findLatestGames(uint32 gameType, uint256 start, uint256 n) view returns (Game[])',
  'function l2SequenceNumber() view returns (uint256)',
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[])',
]);
const FINALIZED = parseAbi(['event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)']);
const PROVEN = parseAbi([
  'event WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to)',
]);
const FIELDS = 'uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash';
const PASSED = parseAbi([
  `event MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, ${FIELDS})`,
]);
const HASH: Hex = `0x${'77'.repeat(32)}`;
const ZERO: Hex = `0x${'00'.repeat(20)}`;

/** Contracts to which the proposer posts outputs. */
let outputs: Readonly<Record<string, Hex>> = {};
/** Whether the oracle has an output for the block, and the portal would pay. */
let [isProposed, isOver] = [true, true];
const namedIn = <const T extends Abi = typeof ABI>(data: Hex, abi: T = ABI as never) => {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    return undefined;
  }
};
/** Answers of the oracle and of the portal. Undefined: the call reverts. */
function answerOf(_: string, data: Hex): Hex | undefined {
  const result = (functionName: string, value: unknown) =>
    encodeFunctionResult({ abi: ABI, functionName, result: value } as never);
  const call = namedIn(data);
  if (call?.functionName === 'version') return result('version', '2.8.0');
  if (call?.functionName === 'finalizeWithdrawalTransaction') return isOver ? '0x' : undefined;
  if (call?.functionName === 'getL2OutputIndexAfter' && isProposed) return result('getL2OutputIndexAfter', 4n);
  if (call?.functionName !== 'getL2Output') return undefined;
  return result('getL2Output', { outputRoot: HASH, timestamp: 100n, l2BlockNumber: BigInt(LEDGER_BLOCK) });
}
/** Answers of a portal whose outputs are dispute games, of which the newest has number 4. */
function answerOfGames(to: string, data: Hex): Hex | undefined {
  const result = (functionName: string, value: unknown) =>
    encodeFunctionResult({ abi: GAMES, functionName, result: value } as never);
  const call = namedIn(data, GAMES);
  const game = { index: 4n, metadata: pad(GAME), timestamp: 100n, rootClaim: HASH, extraData: '0x' };
  if (call?.functionName === 'version') return result('version', '5.1.0');
  if (call?.functionName === 'respectedGameType') return result('respectedGameType', 1);
  if (call?.functionName === 'gameCount') return result('gameCount', 5n);
  if (call?.functionName === 'findLatestGames') return result('findLatestGames', [game]);
  if (call?.functionName !== 'aggregate3' || to !== MULTICALL) return answerOf(to, data);
  expect(call.args[0].map(({ target }) => target)).toEqual([GAME]);
  const returnData = result('l2SequenceNumber', BigInt(LEDGER_BLOCK));
  return result('aggregate3', [{ success: true, returnData }]);
}
/** The log of a withdrawal on L2, or of its finalization on L1. */
function logsOf({ data, value, hash }: Taken): readonly object[] {
  const call = namedIn(data);
  const place = {
    ...{ blockNumber: '0x7', blockHash: HASH, transactionHash: hash, transactionIndex: '0x0', logIndex: '0x0' },
  };
  if (call?.functionName === 'initiateWithdrawal') {
    const [target, gasLimit, input] = call.args;
    const words = ['uint256', 'uint256', 'bytes', 'bytes32'].map((type) => ({ type }));
    const args = { nonce: 1n, sender: SENDER, target };
    const topics = encodeEventTopics({ abi: PASSED, args });
    return [
      { ...place, address: MESSAGE_PASSER, topics, data: encodeAbiParameters(words, [value, gasLimit, input, HASH]) },
    ];
  }
  if (call?.functionName !== 'finalizeWithdrawalTransaction') return [];
  const topics = encodeEventTopics({ abi: FINALIZED, args: { withdrawalHash: HASH } });
  return [{ ...place, address: PORTAL, topics, data: encodeAbiParameters([{ type: 'bool' }], [true]) }];
}

let l1: Ledger;
let l2: Ledger;
beforeEach(() => {
  outputs = { L2OutputOracle: ORACLE };
  [isProposed, isOver] = [true, true];
  for (const each of [l1, l2]) {
    Object.assign(each, { status: 'success', includes: true, call: answerOf, logs: logsOf, events: [], sender: ZERO });
    each.balances.set(PORTAL, 10n ** 20n);
    each.taken.length = 0;
  }
});
beforeAll(async () => {
  l1 = await servedLedger();
  l2 = await servedLedger();
});
afterAll(() => {
  for (const each of [l1, l2]) each[Symbol.dispose]();
});

/**
 * Withdraws within 300 ms of the network, in which nothing passes but what is waited for. `passed` is called as time
 * passes, with the number of times.
 */
function withdrawing(
  more: Partial<WithdrawalWish> | ContinuationWish = {},
  passed: (count: number) => void = () => undefined,
  tell?: (step: string) => void,
) {
  const plan = twoChains({ contracts: { l1: { OptimismPortal: PORTAL, ...outputs }, l2: {} } });
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => ({ ...node, el: { ...node.el, http: l2.url } })),
  }));
  const onL1 = { ...plan.network.l1, rpc: l1.url, contracts: { MultiCall3: MULTICALL } };
  const network = { ...plan.network, l1: onL1, chains };
  const planned: Plan = { ...plan, network };
  const made = { from: 0, to: undefined, value: 5n, data: '0x', gas: 100_000n } as const;
  const wish: WithdrawalWish | ContinuationWish = 'initiated' in more ? more : { ...made, ...more };
  let [now, count] = [0, 0];
  const time = standingTime({
    now: () => now,
    async pass(ms) {
      now += ms;
      passed(++count);
    },
  });
  const run = { time, signal: new AbortController().signal };
  return withdrawInTime(run, planned, planned.network.chains[0]!, wish, 300, tell);
}

describe('a withdrawal in the time of a network', () => {
  it('is initiated on L2, proved when an output covers its block, and finalized when the portal pays', async () => {
    [isProposed, isOver] = [false, false];
    const steps: string[] = [];
    const passed = (count: number) => {
      if (count === 1) isProposed = true;
      else isOver = true;
    };
    const to: Hex = `0x${'22'.repeat(20)}`;
    l1.balances.set(to, 9n);
    const done = await withdrawing({ to, data: '0x12' }, passed, (step) => void steps.push(step));
    expect(steps).toEqual(['initiated', 'proven', 'finalized']);
    expect(done).toMatchObject({ withdrawalHash: HASH, balance: 9n });
    expect([done.initiated.transactionHash]).toEqual(l2.taken.map(({ hash }) => hash));
    expect([done.proven, done.finalized].map((each) => each.transactionHash)).toEqual(l1.taken.map(({ hash }) => hash));
    expect(l2.taken).toMatchObject([{ to: MESSAGE_PASSER, value: 5n }]);
    expect(namedIn(l2.taken[0]!.data)?.args).toEqual([to, 100_000n, '0x12']);
  });

  it('is proved against a dispute game, which it finds by the multicall contract of L1', async () => {
    outputs = { DisputeGameFactory: FACTORY };
    l1.call = answerOfGames;
    expect(await withdrawing()).toMatchObject({ withdrawalHash: HASH });
    expect(l1.taken).toMatchObject([{ to: PORTAL }, { to: PORTAL }]);
    expect(namedIn(l1.taken[0]!.data)?.args?.[1]).toBe(4n);
  });

  it('goes to its sender without a receiver', async () => {
    await withdrawing();
    expect(namedIn(l2.taken[0]!.data)?.args?.[0]).toBe(SENDER);
  });

  it('has one time for all that it waits for', async () => {
    [isProposed, isOver] = [false, false];
    let passes = 0;
    const passed = (count: number) => {
      passes = count;
      isProposed = count >= 2;
    };
    const message = expect.stringMatching(/after 0\.3 s: not within 0\.1 s: it cannot be finalized yet/);
    await expect(withdrawing({}, passed)).rejects.toMatchObject({ code: 'late', message });
    expect(passes).toBe(3);
  });

  it.each([
    ['no proposal covers its block yet', false],
    ['it cannot be finalized yet', true],
  ])('is late with what its chain said last, if %s', async (what, proposed) => {
    [isProposed, isOver] = [proposed, false];
    const message = expect.stringMatching(new RegExp(`after 0.3 s: not within 0.3 s: ${what}: .*revert`));
    await expect(withdrawing()).rejects.toMatchObject({ code: 'late', message });
  });

  it.each([
    ['initiated', false],
    ['proven', true],
  ])('is late with the transactions of its steps, if it is %s', async (last, proposed) => {
    [isProposed, isOver] = [proposed, false];
    const failure: unknown = await withdrawing().catch((error: unknown) => error);
    if (!(failure instanceof Failure)) throw failure;
    const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    const { initiated } = failure.data;
    expect(failure.data).toEqual({ initiated: hash, ...(proposed && { proven: hash }) });
    expect(failure.message).toMatch(new RegExp(`; it is ${last} by ${failure.data[last]}$`));
    expect(failure.hint).toMatch(
      new RegExp(
        `^run \`devnet withdraw --continue ${initiated} --chain \\w+\`, for another .* the amount again; raise its`,
      ),
    );
  });

  it('is late when no block has it, and says how it goes on when one has', async () => {
    l2.includes = false;
    const failure: unknown = await withdrawing({ from: 1 }).catch((error: unknown) => error);
    const initiated = l2.taken[0]!.hash;
    expect(failure).toMatchObject({
      ...{ code: 'late', exit: EXIT.notReady, data: { initiated } },
      message: expect.stringMatching(
        new RegExp(
          `^.* is not finalized after 0\\.3 s: not within 0\\.3 s: transaction ${initiated} is not in a block$`,
        ),
      ),
      hint: expect.stringMatching(
        new RegExp(`^run \`devnet withdraw --continue ${initiated} --chain \\w+ --from 1\`, for another`),
      ),
      cause: expect.objectContaining({ code: 'late' }),
    });
    expect(l2.taken).toMatchObject([{ to: MESSAGE_PASSER, value: 5n }]);
  });

  it('fails as it is when it is not late', async () => {
    l2.status = 'reverted';
    l2.includes = true;
    await expect(withdrawing()).rejects.toMatchObject({
      code: 'withdrawal',
      message: expect.stringMatching(/^the withdrawal could not be initiated: 0x\w+ reverted$/),
    });
    await expect(withdrawing({ from: 7 })).rejects.toMatchObject({ code: 'account' });
  });
});

describe('a withdrawal that is initiated', () => {
  /** The log of a step on L1, of its transaction of this number. */
  const logOf = (step: 'proven' | 'finalized', number: number) => {
    const of = { withdrawalHash: HASH, from: SENDER, to: SENDER };
    const topics =
      step === 'proven'
        ? encodeEventTopics({ abi: PROVEN, args: of })
        : encodeEventTopics({ abi: FINALIZED, args: of });
    const data = step === 'proven' ? '0x' : encodeAbiParameters([{ type: 'bool' }], [true]);
    const place = { blockNumber: '0x7', blockHash: HASH, transactionIndex: '0x0', logIndex: '0x0' };
    return { ...place, address: PORTAL, topics, data, transactionHash: l1.taken[number]!.hash };
  };
  const namesOnL1 = () => l1.taken.map(({ data }) => namedIn(data)?.functionName);

  /** Withdraws as far as L1 lets it come. Returns the transaction of L2. */
  async function begun(as: { readonly proposed: boolean; readonly over: boolean }): Promise<Hex> {
    [isProposed, isOver] = [as.proposed, as.over];
    await withdrawing().catch(() => undefined);
    [isProposed, isOver] = [true, true];
    return l2.taken[0]!.hash;
  }

  it('is proved and finalized', async () => {
    const initiated = await begun({ proposed: false, over: false });
    const steps: string[] = [];
    const done = await withdrawing({ from: 0, initiated }, undefined, (step) => void steps.push(step));
    expect(steps).toEqual(['initiated', 'proven', 'finalized']);
    expect(done).toMatchObject({
      initiated: { transactionHash: initiated },
      withdrawalHash: HASH,
      to: SENDER.toLowerCase(),
      value: 5n,
    });
    expect(l2.taken).toHaveLength(1);
    expect(namesOnL1()).toEqual(['proveWithdrawalTransaction', 'finalizeWithdrawalTransaction']);
  });

  it.each([
    ['of an output', false, ZERO, false],
    ['of a game, by its own account', true, SENDER, false],
    ['of a game, by another account', true, ZERO, true],
  ])('is finalized after a proof %s', async (_, hasGames, sender, again) => {
    if (hasGames) {
      outputs = { DisputeGameFactory: FACTORY };
      l1.call = answerOfGames;
    }
    const initiated = await begun({ proposed: true, over: false });
    l1.events = [logOf('proven', 0)];
    l1.sender = sender;
    const done = await withdrawing({ from: 0, initiated });
    const proofs = again ? 2 : 1;
    expect(namesOnL1()).toEqual([...Array(proofs).fill('proveWithdrawalTransaction'), 'finalizeWithdrawalTransaction']);
    expect(done.proven.transactionHash).toBe(l1.taken[proofs - 1]!.hash);
  });

  it('is told as it is when L1 has finalized it, by any proof', async () => {
    outputs = { DisputeGameFactory: FACTORY };
    l1.call = answerOfGames;
    const initiated = await begun({ proposed: true, over: true });
    l1.events = [logOf('proven', 0), logOf('finalized', 1)];
    l1.balances.set(PORTAL, 0n);
    l1.balances.set(SENDER.toLowerCase(), 9n);
    const done = await withdrawing({ from: 0, initiated });
    expect([done.proven, done.finalized].map((each) => each.transactionHash)).toEqual(l1.taken.map(({ hash }) => hash));
    expect([done.balance, l1.taken.length]).toEqual([9n, 2]);
  });

  it('is not finalized while the portal has less than its amount, which would be lost', async () => {
    const initiated = await begun({ proposed: true, over: false });
    l1.events = [logOf('proven', 0)];
    l1.balances.set(PORTAL, 4n);
    await expect(withdrawing({ from: 0, initiated })).rejects.toMatchObject({
      ...{ code: 'withdrawal', message: expect.stringMatching(/holds 4 wei on L1: 5 wei withdrawn .* would be lost$/) },
      hint: expect.stringContaining(
        `let ${initiated} go on (--continue) when you have raised what it holds by a deposit`,
      ),
    });
    expect(namesOnL1()).toEqual(['proveWithdrawalTransaction']);
  });

  it('is late when L2 has no block with it', async () => {
    await expect(withdrawing({ from: 0, initiated: HASH })).rejects.toMatchObject({
      ...{ code: 'late', data: { initiated: HASH }, message: expect.stringContaining(`${HASH} is not in a block`) },
    });
  });

  it.each([
    ['no withdrawal', 0],
    ['2 withdrawals', 2],
  ])('is the only one of its transaction: %s', async (count, number) => {
    const initiated = await begun({ proposed: false, over: false });
    l2.logs = (taken) => Array(number).fill(logsOf(taken)).flat();
    const message = expect.stringMatching(new RegExp(`^${initiated} makes ${count} on \\w+, expected one$`));
    const hint = `run \`devnet tx ${initiated}\` to see what it does`;
    await expect(withdrawing({ from: 0, initiated })).rejects.toMatchObject({ code: 'withdrawal', message, hint });
  });
});

it.each([
  ['wall', 20_000],
  ['stepped', 60_000],
] as const)('a request of a withdrawal within 20 s of a %s clock has %i ms of the machine', async (kind, limitMs) => {
  await using silent = await recording(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const plan = twoChains({ contracts: { l1: { OptimismPortal: PORTAL, ...outputs }, l2: {} } });
    const network = { ...plan.network, l1: { ...plan.network.l1, rpc: silent.url } };
    const wish: WithdrawalWish = { from: 0, to: undefined, value: 5n, data: '0x', gas: 100_000n };
    const run = { time: standingTime({ kind }), signal: new AbortController().signal };
    const ends: string[] = [];
    withdrawInTime(run, { ...plan, network }, network.chains[0]!, wish, 20_000).catch(({ details }) =>
      ends.push(details),
    );
    await turnsUntil(() => silent.requests.length === 1);
    vi.advanceTimersByTime(limitMs - 1);
    await someTurns();
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(1);
    await turnsUntil(() => ends.length > 0);
    expect(ends).toEqual([`${silent.url}: no answer within ${limitMs} ms`]);
  } finally {
    vi.useRealTimers();
  }
});
