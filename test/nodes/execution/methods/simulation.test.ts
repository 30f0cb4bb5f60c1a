import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractAddress } from '../../../../src/protocol/accounts/contract-address.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, REVERTER, STORE } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';
import { type SampleChain, sampleChain, schedule, topic } from '../support/sample-chain.ts';

let chain: SampleChain;
const from = ACCOUNTS[0]!.address.toLowerCase() as Hex;
const poor: Hex = '0x00000000000000000000000000000000000000ee';
/** Calls the address in the first calldata word without data and returns the result. */
const TARGET: Hex = '0x00000000000000000000000000000000000c0deb';
/** number, timestamp, coinbase, prevrandao, gaslimit, basefee, blobbasefee, blockhash(2) */
const FIELDS = '0x43600052426020524160405244606052456080524860a0524a60c05260024060e0526101006000f3';
/** Endless loop. */
const LOOP = '0x5b600056';

/** Sets slot 0, and reverts if it is set. */
const ONCE = '0x600054600c576001600055005b60006000fd';

beforeAll(async () => {
  chain = await sampleChain();
});
afterAll(() => chain[Symbol.asyncDispose]());

const words = (data: Hex) =>
  data
    .slice(2)
    .match(/.{64}/g)!
    .map((text) => BigInt(`0x${text}`));
const go = <Result>(method: string, ...params: unknown[]) => chain.go.rpc.call<Result>(method, params);

test('an estimate tries each gas limit on the state after the block, without the tries before', async () => {
  const gas = await go<Hex>('eth_estimateGas', { from, to: TARGET }, 'latest', { [TARGET]: { code: ONCE } });
  expect(Number(gas)).toBeGreaterThan(43_100);
  expect(Number(gas)).toBeLessThan(47_000);
});

describe('overrides', () => {
  test('of the block are visible to code, in the spelling of either client', async () => {
    const code = { [TARGET]: { code: FIELDS } };
    const hash = keccak256('0x01');
    for (const block of [
      {
        number: '0x64',
        time: '0x77359400',
        feeRecipient: poor,
        prevRandao: hash,
        gasLimit: '0x1000000',
        baseFeePerGas: '0x7',
        blobBaseFee: '0x9',
        blockHash: { '2': hash },
      },
      {
        number: '0x64',
        timestamp: '0x77359400',
        coinbase: poor,
        random: hash,
        gasLimit: '0x1000000',
        baseFee: '0x7',
        blobBaseFee: '0x9',
        blockHash: { '0x2': hash },
      },
    ]) {
      const fields = words(await go<Hex>('eth_call', { to: TARGET }, 'latest', code, block));
      expect(fields).toEqual([100n, 0x77359400n, BigInt(poor), BigInt(hash), 0x1000000n, 7n, 9n, BigInt(hash)]);
    }
    const plain = words(await go<Hex>('eth_call', { to: TARGET }, '0x3', code));
    expect(plain.slice(0, 2)).toEqual([3n, BigInt(GENESIS_TIME + 6)]);
  });

  test('state overrides change balance, nonce, code and slots; state replaces all slots, stateDiff some', async () => {
    const read = '0x6001545f5260025460205260405ff3';
    const call = (override: object) =>
      go<Hex>('eth_call', { to: STORE }, 'latest', { [STORE]: { code: read, ...override } }).then(words);
    expect(await call({})).toEqual([9n, 0n]);
    expect(await call({ stateDiff: { [topic(2)]: topic(5) } })).toEqual([9n, 5n]);
    expect(await call({ state: { [topic(2)]: topic(5) } })).toEqual([0n, 5n]);
    await expect(call({ state: {}, stateDiff: {} })).rejects.toMatchObject({ code: -32602 });
    const rich = { [poor]: { balance: '0x64' } };
    expect(await go('eth_call', { from: poor, to: LOGGER, value: '0x64' }, 'latest', rich)).toBe('0x');
    expect(
      await go('eth_estimateGas', { from: poor, to: ACCOUNTS[1]!.address, value: '0x64' }, 'latest', rich),
    ).toMatch(/^0x/);
  });

  test('move a precompile, and put code in its place', async () => {
    const identity: Hex = '0x0000000000000000000000000000000000000004';
    const moved = { [identity]: { code: '0x602a5f5260205ff3', movePrecompileToAddress: TARGET } };
    expect(await go('eth_call', { to: TARGET, data: '0xabcdef' }, 'latest', moved)).toBe('0xabcdef');
    expect(words(await go<Hex>('eth_call', { to: identity, data: '0xabcdef' }, 'latest', moved))).toEqual([42n]);
    await expect(
      go('eth_call', { to: STORE }, 'latest', { [STORE]: { movePrecompileToAddress: TARGET } }),
    ).rejects.toMatchObject({ message: `account ${STORE} is not a precompile` });
  });

  test.each(['go', 'rust'] as const)(
    'leave the old address of a precompile warm that the %s flavour moved',
    async (name) => {
      const identity: Hex = '0x0000000000000000000000000000000000000004';
      // Difference of two gas() around extcodesize(address).
      const cost = async (address: Hex) => {
        const code = `0x5a73${address.slice(2)}3b505a90035f5260205ff3`;
        const moved = { [identity]: { movePrecompileToAddress: TARGET }, [STORE]: { code } };
        return words(await chain[name].rpc.call<Hex>('eth_call', [{ to: STORE }, 'latest', moved]));
      };
      expect(await cost(TARGET)).toEqual([2607n]);
      expect(await cost(identity)).toEqual([107n]);
    },
  );
});

test.each(['eth_call', 'eth_estimateGas', 'eth_createAccessList'])(
  '%s is refused for another chain',
  async (method) => {
    await expect(go(method, { from, to: LOGGER, chainId: '0x1' })).rejects.toMatchObject({
      code: -32000,
      message: `chainId does not match node's (have=1, want=${CHAIN_ID})`,
    });
    await go(method, { from, to: LOGGER, chainId: `0x${CHAIN_ID.toString(16)}` });
  },
);

test('eth_createAccessList lists every account and slot that a call touches', async () => {
  // balance(REVERTER), sload(1), sload(caller’s word)
  const code = `0x73${REVERTER.slice(2)}31505f355450600154505f5ff3`;
  const override = { [TARGET]: { code } };
  const call = { from, to: TARGET, data: topic(0x99) };
  const listed = await go<{ accessList: { address: Hex; storageKeys: Hex[] }[]; gasUsed: Hex }>(
    'eth_createAccessList',
    call,
    'latest',
    override,
  );
  const byAddress = Object.fromEntries(
    listed.accessList.map(({ address, storageKeys }) => [address, storageKeys.sort()]),
  );
  expect(byAddress).toEqual({ [REVERTER]: [], [TARGET]: [topic(1), topic(0x99)] });
  const withList = { ...call, accessList: listed.accessList };
  expect(await go('eth_createAccessList', withList, 'latest', override)).toEqual(listed);
  // A contract that the call creates is warm: create(0, 0, 0), then balance(REVERTER)
  const creating = { [TARGET]: { code: `0x5f5f5ff05073${REVERTER.slice(2)}31505f5ff3` } };
  expect(await go('eth_createAccessList', call, 'latest', creating)).toMatchObject({
    accessList: [{ address: REVERTER, storageKeys: [] }],
  });
  // Slots of such an account are listed: sstore(0, 1)
  expect(await go('eth_createAccessList', { from, data: '0x600160005560006000f3' }, 'latest')).toMatchObject({
    accessList: [{ address: expect.stringMatching(/^0x/), storageKeys: [topic(0)] }],
  });
  const failing = await go<{ error: string }>('eth_createAccessList', { from, to: REVERTER, data: '0x01' }, 'latest');
  expect(failing.error).toBe('execution reverted');
});

test('eth_createAccessList lists sender, recipient and precompiles only for slots of theirs', async () => {
  // balance(caller), balance(address), balance(precompile 4)
  const balances = '333150303150600431505f5ff3';
  const identity: Hex = '0x0000000000000000000000000000000000000004';
  const needless = [from, TARGET, identity].map((address) => ({ address, storageKeys: [] }));
  const call = { from, to: TARGET, accessList: needless };
  const listed = (code: Hex) => go('eth_createAccessList', call, 'latest', { [TARGET]: { code } });
  expect(await listed(`0x${balances}`)).toMatchObject({ accessList: [] });
  // sload(1) of the recipient before
  expect(await listed(`0x60015450${balances}`)).toMatchObject({
    accessList: [{ address: TARGET, storageKeys: [topic(1)] }],
  });
  // A contract that the call creates is its recipient.
  const created = contractAddress(poor, 0n);
  const creation = { from: poor, data: '0x5f5ff3', accessList: [{ address: created, storageKeys: [] }] };
  expect(await go('eth_createAccessList', creation, 'latest')).toMatchObject({ accessList: [] });
});

describe('a call that could not be sent as a transaction with authorizations', () => {
  const sender = `(sender ${from})`;
  const entry = { chainId: '0x0', address: LOGGER, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' };
  const CREATES = 'EIP-7702 transaction cannot be used to create contract';
  const EMPTY = 'EIP-7702 transaction with empty auth list';
  const METHODS = [
    ['eth_call', (call: object) => [call, 'latest']],
    ['eth_estimateGas', (call: object) => [call, 'latest']],
    ['eth_createAccessList', (call: object) => [call, 'latest']],
    ['debug_traceCall', (call: object) => [call, 'latest', {}]],
    ['eth_simulateV1', (call: object) => [{ blockStateCalls: [{ calls: [call] }] }, 'latest']],
  ] as const;

  test('is refused by eth_simulateV1 of rust without a receiver, as no transaction can be built', async () => {
    for (const authorizationList of [[entry], []]) {
      const calls = [{ from, data: '0x00', authorizationList }];
      await expect(
        chain.rust.rpc.call('eth_simulateV1', [{ blockStateCalls: [{ calls }] }, 'latest']),
      ).rejects.toMatchObject({
        code: -32602,
        message: 'Failed to convert transaction into RPC response: Required fields missing',
      });
    }
  });

  test.each(METHODS)('is refused by %s with the message of the flavour’s client', async (method, params) => {
    for (const [call, goMessage, rustMessage] of [
      [{ from, to: LOGGER, authorizationList: [] }, `${EMPTY} ${sender}`, 'empty authorization list'],
      [{ from, data: '0x00', authorizationList: [entry] }, `${CREATES} ${sender}`, CREATES],
      [{ from, data: '0x00', authorizationList: [] }, `${CREATES} ${sender}`, CREATES],
    ] as const) {
      await expect(chain.go.rpc.call(method, params(call))).rejects.toThrow(goMessage);
      if (method === 'eth_simulateV1' && rustMessage === CREATES) continue;
      const rust = chain.rust.rpc.call(method, params(call));
      await expect(rust).rejects.toMatchObject({ message: expect.stringMatching(new RegExp(`^${rustMessage}`)) });
    }
    const able = { from, to: LOGGER, authorizationList: [entry] };
    await expect(chain.go.rpc.call(method, params(able))).resolves.toBeDefined();
    await expect(
      chain.go.rpc.call(method, params({ from, to: LOGGER, authorizationList: null })),
    ).resolves.toBeDefined();
  });
});

describe('eth_simulateV1', () => {
  type Block = Record<string, unknown> & { calls: Record<string, unknown>[]; number: Hex; hash: Hex; parentHash: Hex };
  const simulate = (payload: object, tag: unknown = 'latest') => go<Block[]>('eth_simulateV1', payload, tag);

  test('runs blocks one on another, fills gaps, and links them', async () => {
    const blocks = await simulate({
      blockStateCalls: [
        { calls: [{ from, to: STORE, data: `${topic(3)}${topic(33).slice(2)}` }] },
        {
          blockOverrides: { number: '0x8', time: quantity(GENESIS_TIME + 1000) },
          stateOverrides: { [TARGET]: { code: FIELDS } },
          calls: [
            { from, to: TARGET },
            { from, to: LOGGER, data: topic(4) },
            { from, to: REVERTER, data: '0x01' },
          ],
        },
      ],
    });
    expect(blocks.map(({ number }) => Number(number))).toEqual([5, 6, 7, 8]);
    for (const [at, block] of blocks.entries()) if (at > 0) expect(block.parentHash).toBe(blocks[at - 1]!.hash);
    const [environment, logged, reverted] = blocks[3]!.calls;
    expect(words(environment!['returnData'] as Hex).slice(0, 2)).toEqual([8n, BigInt(GENESIS_TIME + 1000)]);
    expect(logged).toMatchObject({
      status: '0x1',
      logs: [
        { address: LOGGER, topics: [topic(4)], blockHash: blocks[3]!.hash, logIndex: '0x0', transactionIndex: '0x1' },
      ],
    });
    expect(reverted).toMatchObject({ status: '0x0', error: { code: 3, data: '0x01' }, logs: [] });
    const stored = await simulate({
      blockStateCalls: [
        { calls: [{ from, to: STORE, data: `${topic(3)}${topic(33).slice(2)}` }] },
        { stateOverrides: { [STORE]: { code: '0x6003545f5260205ff3' } }, calls: [{ to: STORE }] },
      ],
    });
    expect(words(stored[1]!.calls[0]!['returnData'] as Hex)).toEqual([33n]);
  });

  test('steps by 12 s, also in gaps, without a stated time or an option', async () => {
    const blockStateCalls = [{}, { blockOverrides: { number: '0x8' } }, {}];
    const times = async (name: 'go' | 'rust') =>
      (await chain[name].rpc.call<Block[]>('eth_simulateV1', [{ blockStateCalls }, '0x4'])).map(({ timestamp }) =>
        Number(timestamp),
      );
    const head = Number((await go<{ timestamp: Hex }>('eth_getBlockByNumber', '0x4', false)).timestamp);
    for (const name of ['go', 'rust'] as const)
      expect(await times(name)).toEqual([12, 24, 36, 48, 60].map((after) => head + after));
  });

  test('steps by the block time of its option', async () => {
    await using node = await launch(genesisText(schedule), { flavour: 'rust', limits: { simulatedBlockTime: 2 } });
    const blocks = await node.rpc.call<Block[]>('eth_simulateV1', [{ blockStateCalls: [{}, {}] }, 'latest']);
    expect(blocks.map(({ timestamp }) => Number(timestamp))).toEqual([GENESIS_TIME + 2, GENESIS_TIME + 4]);
    await expect(
      node.rpc.call('eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: { time: quantity(GENESIS_TIME) } }] }]),
    ).rejects.toMatchObject({ code: -38021 });
  });

  test('makes the block of a node, except for fees: the state root is that of the same transactions', async () => {
    const empty = await simulate({ blockStateCalls: [{}] }, 'earliest');
    const genesis = await go<{ stateRoot: Hex; hash: Hex }>('eth_getBlockByNumber', '0x0', false);
    expect(empty[0]!.parentHash).toBe(genesis.hash);
    expect(empty[0]!['transactions']).toEqual([]);
  });

  test('shows transfers as logs, in order, when requested', async () => {
    const calls = [{ from, to: LOGGER, value: '0x5', data: topic(6) }];
    const [block] = await simulate({ blockStateCalls: [{ calls }], traceTransfers: true });
    const logs = block!.calls[0]!['logs'] as { address: Hex; topics: Hex[]; data: Hex }[];
    expect(logs.map(({ address }) => address)).toEqual([`0x${'ee'.repeat(20)}`, LOGGER]);
    expect(logs[0]!.topics.slice(1)).toEqual(
      [from, LOGGER].map((address) => `0x${address.slice(2).padStart(64, '0')}`),
    );
    expect(logs[0]!.data).toBe(topic(5));
    // Logs of transfers are in no receipt, so the block is the same without them.
    const [plain] = await simulate({ blockStateCalls: [{ calls }] });
    expect(plain!.calls[0]!['logs']).toHaveLength(1);
    expect(block!.hash).toBe(plain!.hash);
    expect(block!['logsBloom']).not.toBe(`0x${'00'.repeat(256)}`);
  });

  test('with validation checks nonces, prices and funds as a block would', async () => {
    const run = (call: object, blockOverrides = {}) =>
      simulate({ blockStateCalls: [{ blockOverrides, calls: [call] }], validation: true });
    await expect(run({ from, to: LOGGER, nonce: '0x0' })).rejects.toMatchObject({ code: -38010 });
    await expect(run({ from, to: LOGGER, nonce: '0x99' })).rejects.toMatchObject({ code: -38011 });
    await expect(run({ from, to: LOGGER, maxFeePerGas: '0x1' })).rejects.toMatchObject({ code: -38012 });
    const enough = { maxFeePerGas: '0x3b9aca00' };
    await expect(run({ from, to: LOGGER, gas: '0x100', ...enough })).rejects.toMatchObject({ code: -38013 });
    await expect(run({ from: poor, to: LOGGER, gas: '0xffff', ...enough })).rejects.toMatchObject({ code: -38014 });
    await expect(run({ from, to: LOGGER, gas: '0xffffffff' })).rejects.toMatchObject({ code: -38015 });
    const price = { maxFeePerGas: '0x3b9aca00' };
    const [block] = await run({ from, to: LOGGER, gas: '0xffff', ...price });
    expect(BigInt(block!['baseFeePerGas'] as Hex)).toBeGreaterThan(0n);
  });

  test.each(['go', 'rust'] as const)(
    'of the %s flavour with validation refuses any price below the base fee',
    async (name) => {
      for (const price of [{}, { maxFeePerGas: '0x0' }, { gasPrice: '0x0' }, { gasPrice: '0x1' }]) {
        const call = { from, to: LOGGER, gas: '0xffff', ...price };
        const run = (options: object) =>
          chain[name].rpc.call<object[]>('eth_simulateV1', [{ blockStateCalls: [{ calls: [call] }], ...options }]);
        await expect(run({ validation: true })).rejects.toMatchObject({ code: -38012 });
        expect(await run({})).toHaveLength(1);
      }
    },
  );

  test.each(['go', 'rust'] as const)('of the %s flavour shows revert data in the error alone', async (name) => {
    const stateOverrides = { [TARGET]: { code: '0x602a5f5260205ffd' } };
    const payload = { blockStateCalls: [{ stateOverrides, calls: [{ from, to: TARGET }] }] };
    const [block] = await chain[name].rpc.call<{ calls: Record<string, unknown>[] }[]>('eth_simulateV1', [payload]);
    const { error, returnData, status } = block!.calls[0]!;
    expect({ returnData, status }).toEqual({ returnData: '0x', status: '0x0' });
    expect(error).toMatchObject({ code: 3, data: topic(0x2a) });
  });

  test.each([
    [{ blockStateCalls: [] }, -32602],
    [{ blockStateCalls: [{ blockOverrides: { number: '0x1' } }] }, -38020],
    [{ blockStateCalls: [{ blockOverrides: { time: '0x1' } }] }, -38021],
    [{ blockStateCalls: [{ blockOverrides: { number: '0x1000' } }] }, -38026],
  ])('refuses %j', async (payload, code) => {
    await expect(simulate(payload)).rejects.toMatchObject({ code });
  });
});

describe('a call', () => {
  const loop = { [TARGET]: { code: LOOP } };

  test('leaves the event loop to others while it runs, and ends with the node', async () => {
    await using node = await launch(genesisText(schedule), {
      flavour: 'go',
      // A call that keeps the event loop fails this test after this time. Others need some milliseconds.
      limits: { callTime: 10_000, gasCap: 2n ** 40n },
    });
    const endless = node.rpc
      .call('eth_call', [{ to: TARGET, gas: '0xffffffffff' }, 'latest', loop])
      .catch((error: unknown) => error);
    const others = Promise.all([
      node.rpc.call('eth_chainId'),
      node.rpc.call('eth_getBlockByNumber', ['latest', true]),
    ]).then(() => 'others are answered');
    expect(await Promise.race([endless, others])).toBe('others are answered');
  });

  test('ends when it runs too long', async () => {
    await using node = await launch(genesisText(schedule), {
      flavour: 'go',
      limits: { callTime: 400, gasCap: 2n ** 40n },
    });
    await expect(
      node.rpc.call('eth_call', [{ to: TARGET, gas: '0xffffffffff' }, 'latest', loop]),
    ).rejects.toMatchObject({ code: -32000, message: 'execution aborted (timeout = 0.4s)' });
    // A precompile alone takes minutes: BLAKE2F with 2^32 - 1 rounds.
    const rounds = `0x${'ff'.repeat(4)}${'00'.repeat(208)}01`;
    const blake2f = { to: `0x${'00'.repeat(19)}09`, gas: '0xffffffffff', input: rounds };
    await expect(node.rpc.call('eth_call', [blake2f, 'latest'])).rejects.toMatchObject({
      ...{ code: -32000, message: 'execution aborted (timeout = 0.4s)' },
    });
    // Recursion passes no jump.
    const recursive = { [TARGET]: { code: '0x5f5f5f5f5f305af1505f5f5f5f5f305af1' } };
    await expect(
      node.rpc.call('eth_estimateGas', [{ to: TARGET, gas: '0xffffffffff' }, 'latest', recursive]),
    ).rejects.toMatchObject({ code: -32000, message: 'execution aborted (timeout = 0.4s)' });
  });

  test('gets no more gas than the cap', async () => {
    await using node = await launch(genesisText(schedule), { flavour: 'rust', limits: { gasCap: 100_000n } });
    const gas = { [TARGET]: { code: '0x5a5f5260205ff3' } };
    const [left] = words(await node.rpc.call<Hex>('eth_call', [{ to: TARGET, gas: '0xffffff' }, 'latest', gas]));
    expect(left).toBeLessThan(100_000n - 21_000n);
    expect(left).toBeGreaterThan(78_000n);
    await expect(node.rpc.call('eth_call', [{ to: TARGET }, 'latest', loop])).rejects.toMatchObject({
      code: -32003,
      message: 'out of gas: gas required exceeds: 100000',
    });
  });
});

test.each<[string, Hex, string, string]>([
  ['an invalid jump', '0x600056', 'invalid jump destination', 'EVM error: InvalidJump'],
  ['too little on the stack', '0x01', 'stack underflow (0 <=> 2)', 'EVM error: StackUnderflow'],
  ['a DUP of too little', '0x5f81', 'stack underflow (1 <=> 2)', 'EVM error: StackOverflow'],
  ['INVALID', '0xfe', 'invalid opcode: INVALID', 'EVM error: InvalidFEOpcode'],
  ['a byte that is no opcode', '0x0c', 'invalid opcode: opcode 0xc not defined', 'EVM error: OpcodeNotFound'],
  ['a copy beyond the return data', '0x60015f5f3e', 'return data out of bounds', 'EVM error: OutOfOffset'],
  [
    'Panic(0x11)',
    '0x634e487b715f526011602052602460 1cfd'.replace(' ', '') as Hex,
    'execution reverted: arithmetic underflow or overflow',
    'execution reverted: panic: arithmetic underflow or overflow (0x11)',
  ],
])('%s fails in each client’s words', async (_, code, inGo, inRust) => {
  const params = [{ to: TARGET }, 'latest', { [TARGET]: { code } }];
  await expect(chain.go.rpc.call('eth_call', params)).rejects.toMatchObject({ message: inGo });
  await expect(chain.rust.rpc.call('eth_call', params)).rejects.toMatchObject({ message: inRust });
});
