import { parseTransaction, serializeTransaction } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeTransaction } from '../../../src/nodes/execution/transaction/transaction.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { ACCOUNTS } from './support/accounts.ts';
import { Driver, deposit, l1Info } from './support/driver.ts';
import { CHAIN_ID, GAS_LIMIT, GENESIS_TIME, genesisText, LOGGER, upTo } from './support/genesis.ts';
import { launch, type TestNode } from './support/nodes.ts';

const schedule = upTo('jovian');
const [one, two, three, four] = ACCOUNTS;
let node: TestNode;

beforeAll(async () => {
  node = await launch(genesisText(schedule), { flavour: 'go' });
});
afterAll(async () => node[Symbol.asyncDispose]());

type Fields = Partial<{
  nonce: number;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  value: bigint;
  data: Hex;
  to: Hex | null;
  chainId: number;
}>;
const signed = (account: (typeof ACCOUNTS)[number] | undefined, { to = LOGGER, ...fields }: Fields = {}) =>
  account!.signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    nonce: 0,
    gas: 100_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 6n,
    ...(to === null ? {} : { to }),
    ...fields,
  });
const send = (raw: Hex) => node.rpc.call<Hex>('eth_sendRawTransaction', [raw]);
const status = () => node.rpc.call('txpool_status');

test.each<[string, () => Promise<Hex>, number, RegExp]>([
  ['a lower nonce', () => signed(two, { nonce: 0 }), -32000, /^nonce too low: next nonce 1, tx nonce 0$/],
  [
    'more than the balance',
    () => signed(one, { value: 10n ** 22n }),
    -32000,
    /^insufficient funds for gas \* price \+ value: balance 10000000000000000000000, tx cost/,
  ],
  [
    'the balance to the last wei, without the L1 fee',
    () => signed(one, { value: 10n ** 22n - 100_000n * 10n ** 10n }),
    -32000,
    /^insufficient funds/,
  ],
  [
    'too little gas',
    () => signed(one, { gas: 20_999n }),
    -32000,
    /^intrinsic gas too low: gas 20999, minimum needed 21000$/,
  ],
  [
    'too little gas for its data',
    () => signed(one, { gas: 40_000n, data: `0x${'ff'.repeat(1000)}` }),
    -32000,
    /^insufficient gas for floor data gas cost/,
  ],
  ['more gas than a block', () => signed(one, { gas: BigInt(GAS_LIMIT) + 1n }), -32000, /^exceeds block gas limit$/],
  [
    'no tip',
    () => signed(one, { maxPriorityFeePerGas: 0n }),
    -32000,
    /^transaction gas price below minimum: gas tip cap 0, minimum needed 1$/,
  ],
  [
    'another chain',
    () => signed(one, { chainId: 1 }),
    -32000,
    /^invalid sender: invalid chain id for signer: have 1 want 901$/,
  ],
  [
    'too long init code',
    () => signed(one, { to: null, gas: 20_000_000n, data: `0x${'00'.repeat(49_153)}` }),
    -32000,
    /^max initcode size exceeded/,
  ],
  [
    'too many bytes',
    () => signed(one, { gas: 20_000_000n, data: `0x${'00'.repeat(131_072)}` }),
    -32000,
    /^oversized data/,
  ],
  [
    'no replay protection',
    () => one!.signTransaction({ type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: 10n ** 10n, to: LOGGER }),
    -32000,
    /^only replay-protected/,
  ],
  ['a deposit', async () => deposit({ mint: 1n }), -32000, /^transaction type not supported$/],
  ['a blob transaction', async () => '0x03c0', -32000, /^transaction type not supported$/],
  ['an unknown type', async () => '0x05c0', -32000, /^transaction type not supported$/],
  ['no transaction', async () => '0xc0', -32602, /^failed to decode signed transaction/],
  ['nothing', async () => '0x', -32602, /^failed to decode signed transaction/],
  ['rubbish', async () => '0xdeadbeef', -32602, /^failed to decode signed transaction/],
  [
    'a high s',
    async () => highS(await signed(one)),
    -32602,
    /^failed to decode signed transaction: invalid transaction v, r, s values$/,
  ],
])('refuses %s', async (_, raw, code, message) => {
  await settle();
  await expect(send(await raw())).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

/** The same signature with s on the other side of the curve order. */
function highS(raw: Hex): Hex {
  const parsed = parseTransaction(raw);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s: Hex = `0x${(order - BigInt(parsed.s!)).toString(16).padStart(64, '0')}`;
  return serializeTransaction(parsed as never, { r: parsed.r!, s, yParity: parsed.yParity === 1 ? 0 : 1 });
}

let settled: Promise<unknown> | undefined;
/** One block with a transaction of the second account, so that its next nonce is 1. */
function settle(): Promise<unknown> {
  settled ??= (async () => {
    const { hash } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
    return new Driver(node.engine, schedule).build(hash, GENESIS_TIME + 2, [l1Info(1), await signed(two)], {
      fields: { noTxPool: true },
    });
  })();
  return settled;
}

test('refuses a tip over the fee cap', async () => {
  const transaction = decodeTransaction(hexToBytes(await signed(one)));
  const entering = () => node.node.context.pool.add({ ...transaction, maxFeePerGas: 5n, maxPriorityFeePerGas: 6n });
  expect(entering).toThrow(/^max priority fee per gas higher than max fee per gas$/);
});

test('queues behind a gap, counts pending nonces, and closes the gap', async () => {
  await settle();
  const nonce = () => node.rpc.call('eth_getTransactionCount', [three!.address, 'pending']);
  await send(await signed(three, { nonce: 0 }));
  await send(await signed(three, { nonce: 2 }));
  expect(await status()).toEqual({ pending: '0x1', queued: '0x1' });
  expect(await nonce()).toBe('0x1');
  await send(await signed(three, { nonce: 1 }));
  expect(await status()).toEqual({ pending: '0x3', queued: '0x0' });
  expect(await nonce()).toBe('0x3');
  const { pending } = await node.rpc.call<{ pending: Record<string, Record<string, unknown>> }>('txpool_content');
  expect(Object.keys(pending[three!.address.toLowerCase()]!)).toEqual(['0', '1', '2']);
});

test('replaces only for a tenth more in both prices', async () => {
  await settle();
  const at = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
    signed(four, { maxFeePerGas, maxPriorityFeePerGas });
  const first = await send(await at(1000n * 10n ** 7n, 100n));
  await expect(send(await at(1000n * 10n ** 7n, 100n))).rejects.toMatchObject({ message: 'already known' });
  for (const [fee, tip] of [
    [1099n * 10n ** 7n, 110n],
    [1100n * 10n ** 7n, 109n],
  ] as const)
    await expect(send(await at(fee, tip))).rejects.toMatchObject({
      code: -32000,
      message: 'replacement transaction underpriced',
    });
  const second = await send(await at(1100n * 10n ** 7n, 110n));
  expect(await node.rpc.call('eth_getTransactionByHash', [first])).toBeNull();
  expect(await node.rpc.call('eth_getTransactionByHash', [second])).toMatchObject({ hash: second, blockHash: null });
});

test('does not take more than an account can pay in all', async () => {
  await settle();
  const half = 6n * 10n ** 21n;
  await send(await signed(ACCOUNTS[4], { nonce: 0, value: half }));
  await expect(send(await signed(ACCOUNTS[4], { nonce: 1, value: half }))).rejects.toMatchObject({
    message: expect.stringMatching(/^insufficient funds.*queued cost/),
  });
});

test('forwards to the sequencer, whose refusal is the answer', async () => {
  await settle();
  await using verifier = await launch(genesisText(schedule), { flavour: 'rust', sequencer: node.url });
  const raw = await signed(one, { nonce: 0, value: 1n });
  const hash = await verifier.rpc.call<Hex>('eth_sendRawTransaction', [raw]);
  expect(await node.rpc.call('eth_getTransactionByHash', [hash])).toMatchObject({ hash });
  await expect(verifier.rpc.call('eth_sendRawTransaction', [raw])).rejects.toMatchObject({ message: 'already known' });
});
