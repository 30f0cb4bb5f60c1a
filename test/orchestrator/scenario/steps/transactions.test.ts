import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  concatHex,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodePacked,
  type Hex,
  parseAbi,
} from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import type { StepKind } from '../../../../src/orchestrator/scenario/step.ts';
import { call } from '../../../../src/orchestrator/scenario/steps/call.ts';
import { deploy } from '../../../../src/orchestrator/scenario/steps/deploy.ts';
import { deposit } from '../../../../src/orchestrator/scenario/steps/deposit.ts';
import { fund } from '../../../../src/orchestrator/scenario/steps/fund.ts';
import { load } from '../../../../src/orchestrator/scenario/steps/load.ts';
import { send } from '../../../../src/orchestrator/scenario/steps/send.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { DOCUMENT_LIMITS } from '../../../../src/orchestrator/spec/text/bounds.ts';
import { LEDGER_BLOCK, type Ledger, servedLedger, type Taken } from '../ledger.ts';
import { twoChains } from '../read/two-chains.ts';
import { type ServedDevnet, servedDevnet, standingTime } from '../served-devnet.ts';

const PORTAL: Hex = `0x${'44'.repeat(20)}`;
const TO: Hex = `0x${'22'.repeat(20)}`;
const FUNCTION = 'transfer(address,uint256)';
const INPUT = encodeFunctionData({ abi: parseAbi([`function ${FUNCTION}`]), args: [TO, 5n] });
const PORTAL_ABI = parseAbi([
  'function depositTransaction(address to, uint256 value, uint64 gas, bool isCreation, bytes data)',
  'event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
]);

let l1: Ledger;
let l2: Ledger;
let devnet: ServedDevnet;
beforeAll(async () => {
  l1 = await servedLedger();
  l2 = await servedLedger();
  devnet = await servedDevnet(planned);
});
afterAll(async () => {
  l1[Symbol.dispose]();
  l2[Symbol.dispose]();
  await devnet[Symbol.asyncDispose]();
});
beforeEach(() => {
  const plain = {
    ...{ status: 'success', includes: true, refuses: false, newest: LEDGER_BLOCK },
    ...{ call: () => '0x' as const, logs: () => [] },
  } as const;
  Object.assign(l1, { ...plain, logs: depositLogs, knowsAll: false });
  Object.assign(l2, { ...plain, knowsAll: true });
});
afterEach(() => {
  for (const layer of [l1, l2]) {
    layer.taken.length = 0;
    layer.balances.clear();
  }
});

/** The plan of two chains, the clients of whose nodes and of L1 are the ledgers. */
function planned(): Plan {
  const plan = twoChains({ contracts: { l1: { OptimismPortal: PORTAL }, l2: {} } });
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => ({ ...node, el: { ...node.el, http: l2.url } })),
  }));
  const onL1 = { ...plan.network.l1, rpc: l1.url };
  return { ...plan, network: { ...plan.network, l1: onL1, chains } };
}

/** The event of the deposit that a call of the portal makes. */
function depositLogs({ to, value: mint, data, hash }: Taken): readonly object[] {
  if (to !== PORTAL) return [];
  const { args } = decodeFunctionData({ abi: PORTAL_ABI, data });
  const [target, value, gas, isCreation, input] = args;
  const words = ['uint256', 'uint256', 'uint64', 'bool', 'bytes'] as const;
  const opaque = encodePacked(words, [mint, value, gas, isCreation, input]);
  const topics = encodeEventTopics({
    abi: PORTAL_ABI,
    eventName: 'TransactionDeposited',
    args: { from: TO, to: target, version: 0n },
  });
  return [
    {
      ...{ address: PORTAL, topics, data: encodeAbiParameters([{ type: 'bytes' }], [opaque]) },
      ...{ blockNumber: '0x7', blockHash: `0x${'cd'.repeat(32)}`, transactionHash: hash, transactionIndex: '0x0' },
      ...{ logIndex: '0x0', removed: false },
    },
  ];
}
/** The arguments of the deposit that L1 took. */
const deposited = () => {
  const [sent] = l1.taken;
  return { mint: sent?.value, args: decodeFunctionData({ abi: PORTAL_ABI, data: sent?.data ?? '0x' }).args };
};

const run = (kind: StepKind, value: Json) => kind.run(value, devnet.run({ time: standingTime() }));
const mined = { status: 'success', block: LEDGER_BLOCK, gasUsed: 21_000, logs: 0 };
/** What a run finds when a time is over, which the network's clock says. */
const LATE = {
  code: 'late',
  message: expect.stringMatching(/^not within 0.2 s: transaction 0x\w+ is not in a block$/),
};

describe('the step send', () => {
  it.each<[string, Json, () => Ledger, object]>([
    ['an amount to the sequencer', { to: TO, value: '5 wei' }, () => l2, { to: TO, value: 5n, data: '0x' }],
    ['nothing by default', { to: TO }, () => l2, { to: TO, value: 0n, data: '0x', gas: 21_000n }],
    ['an amount on L1', { to: TO, value: 5, on: 'l1' }, () => l1, { value: 5n }],
    ['an amount to a node', { to: TO, value: 5, on: 'main/b' }, () => l2, { value: 5n }],
    ['bytes', { to: TO, data: '0x1234' }, () => l2, { data: '0x1234' }],
    ['a call', { to: TO, function: FUNCTION, args: [TO, 5] }, () => l2, { data: INPUT }],
    ['with a gas limit', { to: TO, gas: 50_000 }, () => l2, { gas: 50_000n }],
  ])('sends %s, and finds the receipt', async (_, value, layer, taken) => {
    const evidence = await run(send, value);
    const [sent] = layer().taken;
    expect(sent).toMatchObject(taken);
    expect(evidence).toMatchObject({ ...mined, hash: sent?.hash });
  });

  it('sends from the account of its index', async () => {
    await run(send, { to: TO });
    await run(send, { to: TO, from: 1 });
    await expect(run(send, { to: TO, from: 2 })).rejects.toMatchObject({ code: 'account' });
    const [first, second] = l2.taken;
    expect(first?.hash).not.toBe(second?.hash);
  });

  it.each([
    ['success', 'reverted', false],
    ['reverted', 'reverted', true],
    ['reverted', 'success', false],
    ['any', 'reverted', true],
    ['any', 'success', true],
  ] as const)('with the status %s takes one that is %s: %j', async (status, actual, passes) => {
    l2.status = actual;
    const outcome = run(send, { to: TO, status });
    if (passes) expect(await outcome).toMatchObject({ status: actual });
    else await expect(outcome).rejects.toMatchObject({ code: 'status' });
  });

  it('goes on when it is sent, if it does not wait', async () => {
    l2.includes = false;
    expect(await run(send, { to: TO, wait: false })).toEqual({ hash: l2.taken[0]?.hash });
  });

  it('fails when no block has it in time', async () => {
    l2.includes = false;
    await expect(run(send, { to: TO, timeout: '200ms' })).rejects.toMatchObject(LATE);
  });
});

describe('the step deploy', () => {
  const artifact = (content: unknown) => writeFileSync(join(devnet.home, 'a.json'), JSON.stringify(content));
  afterEach(() => rmSync(join(devnet.home, 'a.json'), { force: true }));

  it('creates a contract of its bytes, with an amount', async () => {
    const evidence = await run(deploy, { bytecode: '0x6001', value: '3 wei', on: 'l1' });
    expect(l1.taken).toMatchObject([{ to: null, data: '0x6001', value: 3n }]);
    expect(evidence).toMatchObject({ ...mined, address: `0x${'99'.repeat(20)}` });
  });

  it.each([
    ['forge', { bytecode: { object: '0x6002' } }],
    ['hardhat', { bytecode: '0x6002' }],
    ['solc, without 0x', { bytecode: { object: '6002' } }],
  ])('takes the code of an artifact of %s, relative to the scenario', async (_, content) => {
    artifact(content);
    await run(deploy, { file: 'a.json' });
    expect(l2.taken).toMatchObject([{ to: null, data: '0x6002', value: 0n }]);
  });

  it.each([
    ['no bytecode', {}],
    ['no bytes', { bytecode: '0x' }],
    ['half a byte', { bytecode: '0x600' }],
    ['a library to link', { bytecode: { object: '0x60__$abc$__' } }],
    ['a number', { bytecode: 6002 }],
  ])('refuses an artifact with %s', async (_, content) => {
    artifact(content);
    await expect(run(deploy, { file: 'a.json' })).rejects.toMatchObject({
      ...{ code: 'artifact', exit: 1, message: `${join(devnet.home, 'a.json')} has no creation code at "bytecode"` },
    });
  });

  it('refuses an artifact that is too large without reading it', async () => {
    artifact({});
    truncateSync(join(devnet.home, 'a.json'), DOCUMENT_LIMITS.jsonBytes + 1);
    await expect(run(deploy, { file: 'a.json' })).rejects.toMatchObject({
      message: expect.stringMatching(/as JSON: it has \d+ bytes, at most 67108864 are allowed/),
    });
  });

  it('fails when it reverts, or is late', async () => {
    l2.status = 'reverted';
    await expect(run(deploy, { bytecode: '0x6001' })).rejects.toMatchObject({ code: 'status' });
    l2.includes = false;
    await expect(run(deploy, { bytecode: '0x6001', timeout: '200ms' })).rejects.toMatchObject(LATE);
  });

  it.each([
    [{ bytecode: '0x60' }, true],
    [{ file: 'a.json' }, true],
    [{}, false],
    [{ bytecode: '0x60', file: 'a.json' }, false],
  ])('takes bytes or a file, %j: %s', (value, isTaken) => {
    expect(deploy.schema.safeParse(value).success).toBe(isTaken);
  });
});

describe('the step call', () => {
  it('finds what the function returns, or the bytes', async () => {
    l2.call = () => `0x${'00'.repeat(31)}07`;
    expect(await run(call, { to: TO, function: 'f() returns (uint256)' })).toEqual({ result: '7' });
    l2.call = (_, data) => concatHex(['0xaa', data]);
    expect(await run(call, { to: TO, data: '0x1234' })).toEqual({ result: '0xaa1234' });
    l2.call = () => '0x';
    expect(await run(call, { to: TO })).toEqual({ result: '0x' });
  });

  it('calls the client that it names', async () => {
    l1.call = () => '0xbb';
    l2.call = () => '0xcc';
    expect(await run(call, { to: TO, on: 'l1' })).toEqual({ result: '0xbb' });
    expect(await run(call, { to: TO, on: 'other/c' })).toEqual({ result: '0xcc' });
  });
});

describe('the step deposit', () => {
  it('makes a deposit on L1, and finds the receipts of both layers', async () => {
    const evidence = await run(deposit, { to: TO, value: '5 wei', function: FUNCTION, args: [TO, 5], from: 1 });
    expect(deposited()).toEqual({ mint: 5n, args: [TO, 5n, 200_000n, false, INPUT] });
    expect(l1.taken[0]).toMatchObject({ to: PORTAL });
    expect(evidence).toMatchObject({ ...mined, l1: { hash: l1.taken[0]?.hash, block: LEDGER_BLOCK } });
    expect(evidence['hash']).not.toBe(l1.taken[0]?.hash);
  });

  it('mints nothing by default, and takes a gas limit on L2', async () => {
    await run(deposit, { to: TO, gas: 70_000, data: '0x12' });
    expect(deposited()).toEqual({ mint: 0n, args: [TO, 0n, 70_000n, false, '0x12'] });
  });

  it.each([
    ['success', 'reverted', false],
    ['reverted', 'reverted', true],
  ] as const)('with the status %s takes one that is %s on L2: %j', async (status, actual, passes) => {
    l2.status = actual;
    const outcome = run(deposit, { to: TO, status });
    if (passes) expect(await outcome).toMatchObject({ status: actual });
    else await expect(outcome).rejects.toMatchObject({ code: 'status' });
  });

  it('fails when L2 does not have it in time', async () => {
    l2.includes = false;
    await expect(run(deposit, { to: TO, timeout: '500ms' })).rejects.toMatchObject({ code: 'late' });
  });
});

describe('the step fund', () => {
  it('mints an amount to an address, and finds its balance', async () => {
    for (const { address } of planned().network.chains[0]!.accounts) l1.balances.set(address, 10n ** 20n);
    l2.balances.set(TO, 9n);
    const evidence = await run(fund, { address: TO, amount: '5 wei', chain: 'main' });
    expect(deposited()).toEqual({ mint: 5n, args: [TO, 5n, 200_000n, false, '0x'] });
    expect(evidence).toEqual({
      balance: '9',
      l1: { hash: l1.taken[0]?.hash, block: LEDGER_BLOCK },
      l2: { hash: expect.stringMatching(/^0x/), block: LEDGER_BLOCK },
    });
  });

  it('fails when no account has the amount on L1, or L2 does not have it in time', async () => {
    await expect(run(fund, { address: TO, amount: 5 })).rejects.toMatchObject({ code: 'payer' });
    for (const { address } of planned().network.chains[0]!.accounts) l1.balances.set(address, 10n ** 20n);
    l2.includes = false;
    await expect(run(fund, { address: TO, amount: 5, timeout: '500ms' })).rejects.toMatchObject({ code: 'late' });
  });
});

describe('the step load', () => {
  /** Sends two transactions on a network that has another block each time that time passes. */
  const sending = (more: Record<string, Json> = {}) => {
    const time = standingTime({
      async pass() {
        l2.newest += 1;
      },
    });
    return load.run({ count: 2, timeout: '1s', ...more }, devnet.run({ time }));
  };

  it('passes when blocks have all that it sent', async () => {
    expect(await sending()).toMatchObject({ sent: 2, included: 2, failed: 0, missing: 0, seed: 7 });
  });

  it('fails when what it sent reverts, unless it may', async () => {
    l2.status = 'reverted';
    await expect(sending()).rejects.toMatchObject({
      ...{ code: 'load', exit: 1, message: '2 transactions failed, 0 were not included' },
      data: { included: 2, failed: 2, missing: 0 },
    });
    expect(await sending({ failing: true })).toMatchObject({ included: 2, failed: 2 });
  });

  it('fails with the words of a client that refuses what it sends, unless it may', async () => {
    l2.refuses = true;
    await expect(sending()).rejects.toMatchObject({
      ...{ code: 'load', exit: 1, data: { sent: 0, failed: 0, missing: 0 } },
      message: expect.stringMatching(/^the client refused a transaction of 0x\w+: .*execution reverted/),
    });
    expect(await sending({ failing: true })).toMatchObject({ sent: 0, refused: expect.any(String) });
  });

  it('fails when what it sent is in no block, with what was', async () => {
    l2.includes = false;
    const outcome = run(load, { count: 2, timeout: '1ms' });
    await expect(outcome).rejects.toMatchObject({
      ...{ code: 'load', exit: 1, message: '0 transactions failed, 2 were not included' },
      data: { sent: 2, included: 0, missing: 2, seed: 7, kind: 'transfers' },
    });
  });

  it('passes then if they may fail, with the seed that it names', async () => {
    l2.includes = false;
    const evidence = await run(load, { count: 1, timeout: '1ms', failing: true, seed: 3, kind: 'transfers' });
    expect(evidence).toMatchObject({ sent: 1, missing: 1, seed: 3 });
  });

  it.each<[Json, boolean]>([
    [{ count: 1 }, true],
    [{ count: 0 }, false],
    [{ count: 1_000_001 }, false],
    [{ tps: 0.01 }, true],
    [{ tps: 0.009 }, false],
    [{ tps: 100_000 }, true],
    [{ tps: 100_001 }, false],
    [{ seed: -1 }, false],
    [{ failing: false }, false],
    [{ kind: 'nothing' }, false],
  ])('takes %j: %s', (value, isTaken) => {
    expect(load.schema.safeParse(value).success).toBe(isTaken);
  });

  it('sends 20 transactions by default, and none of a number in a time', async () => {
    l2.includes = false;
    expect(await run(load, { timeout: '1ms', failing: true })).toMatchObject({ sent: 20 });
    expect(await run(load, { timeout: '1ms', failing: true, for: '1ms', tps: 1000 })).toMatchObject({
      sent: expect.any(Number),
    });
  });
});
