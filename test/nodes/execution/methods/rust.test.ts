import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEE_RECIPIENTS } from '../../../../src/protocol/execution/predeploys.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { CHAIN_ID, LOGGER, REVERTER, STORE } from '../support/genesis.ts';
import { type SampleChain, sampleChain, topic } from '../support/sample-chain.ts';

// Recorded answers of an op-reth to the same requests on the same chain. op-geth differs.

let chain: SampleChain;
beforeAll(async () => {
  chain = await sampleChain();
});
afterAll(() => chain[Symbol.asyncDispose]());

const [poor, rich] = [`0x${'11'.repeat(20)}`, ACCOUNTS[0]!.address];

describe('a call that cannot begin', () => {
  const hello = Buffer.from('hello').toString('hex');
  test.each<[string, object, object, object]>([
    [
      'sends more than its sender has',
      { from: poor, to: LOGGER, value: '0x1' },
      { code: -32000, message: `insufficient funds for gas * price + value: address ${poor} have 0 want 1` },
      { code: -32003, message: 'insufficient funds for gas * price + value: have 0 want 1' },
    ],
    [
      'has too little gas',
      { to: STORE, gas: '0x100' },
      { code: -32000, message: 'intrinsic gas too low: have 256, want 21000' },
      { code: -32000, message: 'intrinsic gas too low' },
    ],
    [
      'offers less than the base fee',
      { from: rich, to: LOGGER, maxFeePerGas: '0x1' },
      { code: -32000, message: expect.stringMatching(/^max fee per gas less than block base fee: maxFeePerGas: 1, /) },
      { code: -32000, message: 'max fee per gas less than block base fee' },
    ],
    [
      'creates with more code than may be',
      { from: rich, data: `0x${'00'.repeat(49_153)}` },
      { code: -32000, message: expect.stringMatching(/^max initcode size exceeded/) },
      { code: -32003, message: 'max initcode size exceeded' },
    ],
    [
      'reverts with plain text',
      { to: REVERTER, data: `0x${hello}` },
      { code: 3, message: 'execution reverted', data: `0x${hello}` },
      { code: 3, message: 'execution reverted: hello', data: `0x${hello}` },
    ],
    [
      'reverts with bytes that are no text',
      { to: REVERTER, data: '0xff' },
      { code: 3, message: 'execution reverted' },
      { code: 3, message: 'execution reverted' },
    ],
  ])('%s', async (_, call, go, rust) => {
    await expect(chain.go.rpc.call('eth_call', [call, 'latest'])).rejects.toMatchObject(go);
    await expect(chain.rust.rpc.call('eth_call', [call, 'latest'])).rejects.toMatchObject(rust);
  });

  test('a gas price below the base fee is accepted by the Rust client', async () => {
    const call = [{ from: rich, to: LOGGER, gasPrice: '0x1', gas: '0x10000' }, 'latest'];
    await expect(chain.go.rpc.call('eth_call', call)).rejects.toMatchObject({
      message: expect.stringMatching(/^max fee per gas less than block base fee/),
    });
    expect(await chain.rust.rpc.call('eth_call', call)).toBe('0x');
  });
});

test('a call with a price and no gas limit gets what its sender can pay, at most the block gas limit', async () => {
  const { gasLimit, baseFeePerGas } = await chain.go.rpc.call<Record<string, Hex>>('eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  const price = BigInt(baseFeePerGas!);
  const INTRINSIC = 53_000 + 7 * 16 + 2 + 2;
  const gasOf = async (flavour: 'go' | 'rust', fields: object, balance = 10n ** 30n) => {
    const call = { from: poor, data: '0x5a5f5260205ff3', ...fields };
    const overrides = { [poor]: { balance: `0x${balance.toString(16)}` } };
    // GAS shows the gas after the intrinsic gas, less its own cost of 2.
    return Number(await chain[flavour].rpc.call('eth_call', [call, 'latest', overrides])) + INTRINSIC;
  };
  const gasPrice = `0x${price.toString(16)}`;
  expect(await gasOf('go', { gasPrice })).toBe(50_000_000);
  expect(await gasOf('rust', {})).toBe(50_000_000);
  expect(await gasOf('rust', { gasPrice })).toBe(Number(gasLimit));
  expect(await gasOf('rust', { maxFeePerGas: gasPrice })).toBe(Number(gasLimit));
  expect(await gasOf('rust', { gasPrice, gas: '0x2faf080' })).toBe(50_000_000);
  expect(await gasOf('rust', { gasPrice, value: '0x5' }, 100_000n * price + 5n)).toBe(100_000);
});

describe('the error of each client says', () => {
  const answers = async (method: string, ...params: unknown[]) =>
    Promise.all(
      [chain.go, chain.rust].map(({ rpc }) =>
        rpc.call(method, params).catch(({ code, message }: { code: number; message: string }) => ({ code, message })),
      ),
    );
  const endless = { from: rich, data: '0x5b5f56', gas: '0x186a0' };
  const hello = `0x08c379a0${topic(32).slice(2)}${topic(5).slice(2)}${Buffer.from('hello').toString('hex').padEnd(64, '0')}`;

  test('that no gas is enough', async () => {
    expect(await answers('eth_estimateGas', endless)).toEqual([
      { code: -32000, message: 'gas required exceeds allowance (100000)' },
      { code: -32003, message: 'out of gas: gas required exceeds: 100000' },
    ]);
  });

  test('why a call of eth_createAccessList failed, which gets a block’s gas from the Rust client', async () => {
    const failing = { from: rich, to: REVERTER, data: hello };
    expect(await answers('eth_createAccessList', failing, 'latest')).toMatchObject([
      { error: 'execution reverted' },
      { error: 'execution reverted: hello' },
    ]);
    const { gasLimit } = await chain.go.rpc.call<{ gasLimit: Hex }>('eth_getBlockByNumber', ['latest', false]);
    expect(await answers('eth_createAccessList', { from: rich, data: '0xfe' }, 'latest')).toMatchObject([
      { gasUsed: '0x2faf080' },
      { gasUsed: gasLimit },
    ]);
  });

  test('that there is no such filter, and no transaction', async () => {
    const message = 'filter not found';
    expect(await answers('eth_getFilterChanges', '0x1')).toEqual([
      { code: -32000, message },
      { code: -32602, message },
    ]);
    expect(await answers('eth_sendRawTransaction', '0x')).toMatchObject([
      { message: expect.stringMatching(/type not supported$/) },
      { code: -32602, message: 'empty transaction data' },
    ]);
  });
});

test('a header carries the size of its block at the Rust client only', async () => {
  for (const flavour of ['go', 'rust'] as const) {
    const { hash, size } = await chain[flavour].rpc.call<{ hash: Hex; size: Hex }>('eth_getBlockByNumber', [
      '0x2',
      false,
    ]);
    const expected = flavour === 'rust' ? size : undefined;
    expect((await chain[flavour].rpc.call<{ size?: Hex }>('eth_getHeaderByNumber', ['0x2'])).size).toBe(expected);
    expect((await chain[flavour].rpc.call<{ size?: Hex }>('eth_getHeaderByHash', [hash])).size).toBe(expected);
  }
});

describe('a query of logs', () => {
  const logs = (flavour: 'go' | 'rust', filter: object) =>
    chain[flavour].rpc.call<{ topics: Hex[] }[]>('eth_getLogs', [{ fromBlock: '0x0', ...filter }]);

  test('with empty places behind the topics of a log finds it in the Rust client only', async () => {
    const all = await logs('rust', {});
    expect(all.some(({ topics }) => topics.length === 1)).toBe(true);
    expect(await logs('rust', { topics: [null, null, null] })).toEqual(all);
    expect(await logs('go', { topics: [null, null, null] })).toEqual([]);
    expect(await logs('rust', { topics: [null, topic(1)] })).toEqual([]);
  });

  test('is the same without toBlock, with null and with latest', async () => {
    for (const flavour of ['go', 'rust'] as const)
      for (const fromBlock of ['0x0', '0x4', '0x99', 'latest', 'earliest', undefined]) {
        const answers = await Promise.all(
          [{}, { toBlock: null }, { toBlock: 'latest' }].flatMap((end) => [
            logs(flavour, { fromBlock, ...end }),
            chain[flavour].rpc
              .call<string>('eth_newFilter', [{ fromBlock, ...end }])
              .then((id) => chain[flavour].rpc.call<{ topics: Hex[] }[]>('eth_getFilterLogs', [id])),
          ]),
        );
        for (const answer of answers) expect(answer, `${flavour} ${fromBlock}`).toEqual(answers[0]);
        if (fromBlock === '0x99') expect(answers[0]).toEqual([]);
      }
  });

  test('past the newest block ends there, or is refused', async () => {
    expect(await logs('go', { toBlock: '0x99' })).toHaveLength((await logs('go', {})).length);
    await expect(logs('rust', { toBlock: '0x99' })).rejects.toMatchObject({
      code: -32602,
      message: 'block range extends beyond current head block',
    });
  });
});

describe('trace_rawTransaction', () => {
  const sign = (fields: object) =>
    ACCOUNTS[0]!.signTransaction({
      ...{ chainId: CHAIN_ID, type: 'eip1559', gas: 100_000n, to: STORE, data: `${topic(3)}${topic(4).slice(2)}` },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 7n, ...fields },
    });
  const nonce = async () => Number(await chain.rust.rpc.call<Hex>('eth_getTransactionCount', [rich, 'latest']));

  test('pays the fees of the transaction in a block, also the L1 fee', async () => {
    const raw = await sign({ nonce: await nonce() });
    const { stateDiff } = await chain.rust.rpc.call<{
      stateDiff: Record<string, { balance: '=' | { '*': { from: Hex; to: Hex } } }>;
    }>('trace_rawTransaction', [raw, ['stateDiff']]);
    const gains = Object.entries(stateDiff).map(([address, { balance }]): [string, bigint] => [
      address,
      balance === '=' ? 0n : BigInt(balance['*'].to) - BigInt(balance['*'].from),
    ]);
    const gained = Object.fromEntries(gains);
    for (const vault of [FEE_RECIPIENTS.base, FEE_RECIPIENTS.l1, FEE_RECIPIENTS.operator])
      expect(gained[vault], vault).toBeGreaterThan(0n);
    expect(gains.reduce((sum, [, gain]) => sum + gain, 0n)).toBe(0n);
  });

  test('is refused with the error of the transaction', async () => {
    await expect(
      chain.rust.rpc.call('trace_rawTransaction', [await sign({ nonce: 0 }), ['trace']]),
    ).rejects.toMatchObject({ code: -32000, message: expect.stringMatching(/^nonce too low/) });
    await expect(chain.rust.rpc.call('trace_rawTransaction', ['0x', ['trace']])).rejects.toMatchObject({
      message: 'empty transaction data',
    });
  });
});
