import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { ExecutionBudget } from '../../../../src/nodes/execution/evm/execution-budget.ts';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import type { QueryLimits } from '../../../../src/nodes/execution/query/context.ts';
import { simulateBlocks } from '../../../../src/nodes/execution/query/simulate-blocks.ts';
import { simulationParam } from '../../../../src/nodes/execution/query/simulation-arguments.ts';
import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT } from '../../../../src/protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { GAS_LIMIT, GENESIS_TIME, LOGGER, REVERTER, STORE } from '../support/genesis.ts';
import { L1_GENESIS } from '../support/l1-genesis.ts';
import { StoredChain } from '../support/stored-chain.ts';

const from = ACCOUNTS[0]!.address.toLowerCase() as Hex;
const TO: Hex = '0x00000000000000000000000000000000000c0deb';
const topic = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const transfer = { from, to: ACCOUNTS[1]!.address };

let sample: StoredChain;
beforeAll(async () => {
  await prepareCrypto();
  sample = new StoredChain();
  sample.chain.makeCanonical(await sample.child(sample.chain.genesisHash, 1));
});
afterAll(() => sample[Symbol.dispose]());

interface Block {
  readonly [name: string]: unknown;
  readonly calls: readonly Readonly<Record<string, unknown>>[];
}

/** Simulates blocks on block 1, whose time is two seconds after genesis. */
async function simulated(
  blockStateCalls: readonly object[],
  options: object = {},
  limits: Partial<QueryLimits> = {},
  { chain } = sample,
): Promise<Block[]> {
  const context = {
    chain,
    flavour: FLAVOURS.go,
    limits: { ...FLAVOURS.go.limits, ...limits },
    newBudget: (limitMs?: number) => new ExecutionBudget(limitMs),
  };
  const { hash, header } = chain.head;
  const blocks = await simulateBlocks(
    context,
    { hash, header },
    simulationParam.parse({ blockStateCalls, ...options }),
  );
  return JSON.parse(JSON.stringify(blocks)) as Block[];
}
const VALIDATED = { validation: true };
/** Simulates calls in one block, to code at an address. */
const ran = async (calls: readonly object[], code = '0x', ...rest: [options?: object, limits?: Partial<QueryLimits>]) =>
  (await simulated([{ stateOverrides: { [TO]: { code } }, calls }], ...rest))[0]!;
const wordsOf = (data: unknown) => (String(data).slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));

describe('the blocks of a simulation', () => {
  const START = GENESIS_TIME + 2;
  const at = (number?: number, seconds?: number) => ({
    blockOverrides: {
      ...(number === undefined ? {} : { number: quantity(number) }),
      ...(seconds === undefined ? {} : { time: quantity(START + seconds) }),
    },
  });

  it.each<[string, object[], (readonly [number, number])[]]>([
    ['follow the base', [{}], [[2, 12]]],
    ['follow each other', [{}, { blockOverrides: null }, at()], [2, 3, 4].map((number) => [number, (number - 1) * 12])],
    [
      'have their number and time',
      [at(2, 1), at(3, 2)],
      [
        [2, 1],
        [3, 2],
      ],
    ],
    [
      'are empty in a gap',
      [at(4)],
      [
        [2, 12],
        [3, 24],
        [4, 36],
      ],
    ],
    [
      'are empty in a gap before a time',
      [at(3, 13)],
      [
        [2, 12],
        [3, 13],
      ],
    ],
    [
      'follow a time',
      [at(2, 100), {}],
      [
        [2, 100],
        [3, 112],
      ],
    ],
  ])('%s', async (_, planned, expected) => {
    const blocks = await simulated(planned);
    expect(blocks.map(({ number, timestamp }) => [Number(number), Number(timestamp) - START])).toEqual(expected);
    const hashes = [sample.chain.head.hash, ...blocks.map(({ hash }) => hash)];
    expect(blocks.map(({ parentHash }) => parentHash)).toEqual(hashes.slice(0, -1));
    expect(blocks.map(({ calls }) => calls)).toEqual(blocks.map(() => []));
  });

  it.each<[string, object[], number, string]>([
    ['the number of the base', [at(1)], -38020, 'block numbers must be in order: 1 <= 1'],
    ['a number twice', [at(3), at(3)], -38020, 'block numbers must be in order: 3 <= 3'],
    ['the time of the base', [at(2, 0)], -38021, `block timestamps must be in order: ${START} <= ${START}`],
    ['a time that its gap has passed', [at(3, 12)], -38021, 'block timestamps must be in order'],
    ['a block more than the limit', [at(5)], -38026, 'too many blocks'],
  ])('are refused with %s', async (_, planned, code, message) => {
    const limits = { simulatedBlocks: 3 };
    await expect(simulated(planned, {}, limits)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(await simulated([at(4)], {}, limits)).toHaveLength(3);
  });

  it('are refused when there are none', () => {
    expect(simulationParam.safeParse({ blockStateCalls: [] }).error?.issues).toMatchObject([
      { message: 'empty input' },
    ]);
  });

  it('have the environment of the base, without a base fee', async () => {
    // number, timestamp, coinbase, prevrandao, gaslimit, basefee
    const code = '0x43600052426020524160405244606052456080524860a05260c06000f3';
    const block = await ran([{ from, to: TO }], code);
    const { gasLimit, beneficiary } = sample.chain.head.header;
    expect(beneficiary).toBe(PREDEPLOYS.sequencerFeeVault);
    const expected = [2n, BigInt(START + 12), BigInt(beneficiary), 0n, gasLimit];
    expect(wordsOf(block.calls[0]!['returnData']).slice(0, 5)).toEqual(expected);
    expect(block).toMatchObject({ miner: beneficiary, gasLimit: quantity(gasLimit), baseFeePerGas: '0x0' });
    const paid = { maxFeePerGas: '0x3b9aca00', gas: '0x30000' };
    const valid = await ran([{ from, to: TO, ...paid }], code, { validation: true });
    const { header } = sample.chain.head;
    expect(valid['baseFeePerGas']).toBe(quantity(sample.chain.baseFeeAfter(header, header.timestamp + 12n)));
  });

  it('know the hashes of those before them, simulated or not', async () => {
    const code = '0x60004060005260014060205260024060405260606000f3';
    const blocks = await simulated([{}, { stateOverrides: { [TO]: { code } }, calls: [{ from, to: TO }] }]);
    const hashes = [sample.chain.genesisHash, sample.chain.head.hash, blocks[0]!['hash']];
    expect(blocks[1]!.calls[0]!['returnData']).toBe(`0x${hashes.map((hash) => String(hash).slice(2)).join('')}`);
  });

  it('run on the state of those before them', async () => {
    const store = { from, to: STORE, data: `${topic(3)}${topic(33).slice(2)}` };
    const code = '0x60035460005260206000f3';
    const blocks = await simulated([
      { calls: [store] },
      { stateOverrides: { [STORE]: { code } }, calls: [{ to: STORE }] },
    ]);
    expect(wordsOf(blocks[1]!.calls[0]!['returnData'])).toEqual([33n]);
    expect(new Set(blocks.map(({ stateRoot }) => stateRoot)).size).toBe(2);
  });
});

describe('the gas of simulated calls', () => {
  const limit = quantity(GAS_LIMIT);
  it('is at most what the block has left', async () => {
    expect((await ran([{ ...transfer, gas: limit }])).calls).toMatchObject([{ gasUsed: '0x5208', status: '0x1' }]);
    const more = { ...transfer, gas: quantity(GAS_LIMIT + 1) };
    await expect(ran([more])).rejects.toMatchObject({
      code: -38015,
      message: `block gas limit reached: ${GAS_LIMIT + 1} > ${GAS_LIMIT}`,
    });
    const left = GAS_LIMIT - 21_000;
    expect((await ran([transfer, { ...transfer, gas: quantity(left) }])).calls).toHaveLength(2);
    await expect(ran([transfer, { ...transfer, gas: quantity(left + 1) }])).rejects.toMatchObject({ code: -38015 });
  });

  it('is at most the cap of the request for all blocks', async () => {
    const gas = '0x5a60005260206000f3';
    const blocks = await simulated(
      [{ calls: [transfer] }, { stateOverrides: { [TO]: { code: gas } }, calls: [{ from, to: TO }] }],
      {},
      { gasCap: 100_000n },
    );
    expect(wordsOf(blocks[1]!.calls[0]!['returnData'])).toEqual([100_000n - 21_000n - 21_000n - 2n]);
  });

  it('is the gas of their block, and each transaction has its limit', async () => {
    const block = await ran([transfer, { ...transfer, gas: '0x6000' }], '0x', { returnFullTransactions: true });
    expect(block).toMatchObject({
      gasUsed: quantity(42_000),
      transactions: [
        { from, nonce: '0x0', gas: limit, transactionIndex: '0x0', blockHash: block['hash'] },
        { from, nonce: '0x1', gas: '0x6000', transactionIndex: '0x1' },
      ],
    });
    const { transactions } = await ran([transfer]);
    expect(transactions).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
  });

  it('is shown after refunds, and before', async () => {
    // SSTORE to 1 and back to 0: 20,000 + 2,100 + 100, of which 19,900 are refunded, at most a fifth.
    const used = 21_000 + 22_212;
    const call = { from, to: TO, gas: '0xffff' };
    const left = quantity(used - Math.floor(used / 5));
    expect((await ran([call], '0x6001600055600060005500')).calls).toMatchObject([
      { gasUsed: left, maxUsedGas: quantity(used) },
    ]);
  });
});

describe('the calls of a simulation', () => {
  it('have logs by their index in the block, and the data that they return', async () => {
    const log = (value: number) => ({ from, to: LOGGER, data: topic(value) });
    const { calls, hash } = await ran([log(4), transfer, log(5)]);
    const place = { blockHash: hash, address: LOGGER, removed: false };
    expect(calls.map(({ logs, status, returnData }) => ({ logs, status, returnData }))).toMatchObject([
      { logs: [{ ...place, topics: [topic(4)], logIndex: '0x0', transactionIndex: '0x0' }], returnData: '0x' },
      { logs: [], status: '0x1' },
      { logs: [{ ...place, topics: [topic(5)], logIndex: '0x1', transactionIndex: '0x2' }] },
    ]);
  });

  it('that fail say why, and log nothing', async () => {
    const block = await ran(
      [
        { from, to: REVERTER, data: '0x0102' },
        { from, to: TO, gas: '0x6000' },
      ],
      '0xfe',
    );
    expect(block.calls).toMatchObject([
      { status: '0x0', returnData: '0x', logs: [], error: { code: 3, message: 'execution reverted', data: '0x0102' } },
      {
        status: '0x0',
        returnData: '0x',
        gasUsed: '0x6000',
        error: { code: -32015, message: 'invalid opcode: INVALID' },
      },
    ]);
    expect((await ran([transfer])).calls[0]).not.toHaveProperty('error');
  });

  it('show transfers as logs if that is requested', async () => {
    const call = { from, to: LOGGER, value: '0x5', data: topic(6) };
    const addresses = async (options: object) =>
      ((await ran([call], '0x', options)).calls[0]!['logs'] as { readonly address: Hex }[]).map(
        ({ address }) => address,
      );
    expect(await addresses({})).toEqual([LOGGER]);
    expect(await addresses({ traceTransfers: true })).toEqual([`0x${'ee'.repeat(20)}`, LOGGER]);
  });

  it('that show more than a response holds are refused as too large', async () => {
    const call = { from, to: TO, value: '0x5' };
    const limits = { response: 1 };
    await expect(ran([call], '0x', { traceTransfers: true }, limits)).rejects.toMatchObject({ code: -32003 });
    expect((await ran([call], '0x', {}, limits)).calls).toMatchObject([{ status: '0x1' }]);
  });

  it('without a sender are from address zero, with its nonce', async () => {
    const stateOverrides = { [`0x${'00'.repeat(20)}`]: { nonce: '0x5' } };
    const [block] = await simulated([{ stateOverrides, calls: [{ to: TO }] }], { returnFullTransactions: true });
    expect(block).toMatchObject({ transactions: [{ from: `0x${'00'.repeat(20)}`, nonce: '0x5' }] });
  });

  it('create contracts', async () => {
    const { calls } = await ran([{ from, data: '0x60006000f3' }]);
    expect(calls).toMatchObject([{ status: '0x1', returnData: '0x' }]);
  });

  it('run too long until their time limit', async () => {
    const limits = { callTime: 1, gasCap: 2n ** 40n };
    const loop = ran([{ from, to: TO }], '0x5b600056', {}, limits);
    await expect(loop).rejects.toMatchObject({ code: -32000, message: expect.stringContaining('timeout') });
  });

  const paid = { maxFeePerGas: '0x3b9aca00', gas: '0x6000' };
  it.each<[string, object, number | undefined]>([
    ['a price of the base fee and the next nonce', { ...transfer, ...paid, nonce: '0x0' }, undefined],
    ['no nonce', { ...transfer, ...paid }, undefined],
    ['a later nonce', { ...transfer, ...paid, nonce: '0x1' }, -38011],
    ['a price below the base fee', { ...transfer, gas: '0x6000', maxFeePerGas: '0x1' }, -38012],
    ['no price', { ...transfer, gas: '0x6000' }, -38012],
    ['too little gas', { ...transfer, ...paid, gas: '0x5207' }, -38013],
    ['too little balance', { ...transfer, ...paid, from: TO }, -38014],
  ])('are checked as transactions are, with %s', async (_, call, code) => {
    const run = ran([call], '0x', { validation: true });
    if (code === undefined) expect((await run).calls).toMatchObject([{ status: '0x1' }]);
    else await expect(run).rejects.toMatchObject({ code });
  });

  it('are checked against the nonce that earlier calls left', async () => {
    const call = { ...transfer, ...paid };
    await expect(ran([call, { ...call, nonce: '0x0' }], '0x', { validation: true })).rejects.toMatchObject({
      code: -38010,
      message: expect.stringContaining('next nonce 1, tx nonce 0'),
    });
  });

  it('may offer exactly the base fee', async () => {
    const { header } = sample.chain.head;
    const baseFee = sample.chain.baseFeeAfter(header, header.timestamp + 12n);
    const offer = (wei: bigint) => ran([{ ...transfer, gas: '0x6000', maxFeePerGas: quantity(wei) }], '0x', VALIDATED);
    expect((await offer(baseFee)).calls).toMatchObject([{ status: '0x1' }]);
    await expect(offer(baseFee - 1n)).rejects.toMatchObject({ code: -38012 });
  });

  it('need no nonce and no price without validation', async () => {
    expect((await ran([{ ...transfer, nonce: '0x9' }])).calls).toMatchObject([{ status: '0x1' }]);
  });
});

describe('a simulated block of plain Ethereum', () => {
  let ethereum: StoredChain;
  beforeAll(() => {
    ethereum = new StoredChain({}, L1_GENESIS);
  });
  afterAll(() => ethereum[Symbol.dispose]());

  it('has no withdrawals and no requests', async () => {
    const blocks = await simulated([{}], {}, {}, ethereum);
    expect(blocks).toMatchObject([
      { withdrawals: [], withdrawalsRoot: EMPTY_TRIE_ROOT, requestsHash: EMPTY_REQUESTS_HASH },
    ]);
  });

  it('has a limit of init code (EIP-3860)', async () => {
    const create = (bytes: number) => simulated([{ calls: [{ data: `0x${'00'.repeat(bytes)}` }] }], {}, {}, ethereum);
    await expect(create(49_153)).rejects.toMatchObject({ code: -38025 });
    expect((await create(49_152))[0]!.calls).toMatchObject([{ status: '0x1' }]);
  });
});
