import { getAddress, parseTransaction, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info } from '../support/driver.ts';
import { GENESIS_TIME, genesisText, LOGGER, upTo } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { signTransaction } from '../support/sign-transaction.ts';

const schedule = upTo('jovian');
type Account = (typeof ACCOUNTS)[number];
const [one, two, three, four] = ACCOUNTS as [Account, Account, Account, Account];
const UNDECODABLE = 'failed to decode signed transaction';

describe.each(['go', 'rust'] as const)('%s', (flavour) => {
  let node: TestNode;
  beforeAll(async () => {
    node = await launch(genesisText(schedule), { flavour });
  });
  afterAll(async () => node[Symbol.asyncDispose]());
  const send = (raw: Hex) => node.rpc.call<Hex>('eth_sendRawTransaction', [raw]);

  const typeRefused = flavour === 'go' ? [-32000, 'transaction type not supported'] : [-32602, UNDECODABLE];
  test.each<[string, () => Promise<Hex>, number, string]>([
    ['a deposit', async () => deposit({ mint: 1n }), typeRefused[0] as number, typeRefused[1] as string],
    ['a blob transaction', async () => '0x03c0', typeRefused[0] as number, typeRefused[1] as string],
    ['an unknown type', async () => '0x05c0', typeRefused[0] as number, typeRefused[1] as string],
    ['no transaction', async () => '0xc0', -32602, UNDECODABLE],
    ['nothing', async () => '0x', -32602, flavour === 'go' ? UNDECODABLE : 'empty transaction data'],
    ['rubbish', async () => '0xdeadbeef', -32602, UNDECODABLE],
    ['a high s', async () => highS(await signTransaction(one)), -32602, UNDECODABLE],
    [
      'more than the balance',
      () => signTransaction(one, { value: 10n ** 22n }),
      flavour === 'go' ? -32000 : -32003,
      'insufficient funds for gas * price + value',
    ],
    [
      'the balance to the last wei, without the L1 fee',
      () => signTransaction(one, { value: 10n ** 22n - 100_000n * 10n ** 10n }),
      flavour === 'go' ? -32000 : -32003,
      'insufficient funds for gas * price + value',
    ],
  ])('refuses %s', async (_, raw, code, message) => {
    await expect(send(await raw())).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`^${message.replace(/[*+]/g, '\\$&')}`)),
    });
  });

  test('counts, lists and describes pooled transactions', async () => {
    const address = two.address.toLowerCase();
    const sender = flavour === 'go' ? two.address : address;
    const target = flavour === 'go' ? getAddress(LOGGER) : LOGGER;
    const nonce = () => node.rpc.call('eth_getTransactionCount', [two.address, 'pending']);
    await send(await signTransaction(two, { nonce: 0, value: 5n }));
    const gapped = await send(await signTransaction(two, { nonce: 2, to: null, data: '0x00' }));
    expect(await nonce()).toBe('0x1');
    expect(await node.rpc.call('txpool_status')).toEqual({ pending: '0x1', queued: '0x1' });
    expect(await node.rpc.call('txpool_content')).toEqual({
      pending: { [sender]: { 0: expect.objectContaining({ from: address, nonce: '0x0', blockHash: null }) } },
      queued: { [sender]: { 2: expect.objectContaining({ hash: gapped, to: null }) } },
    });
    expect(await node.rpc.call('txpool_contentFrom', [two.address])).toEqual({
      pending: { 0: expect.objectContaining({ nonce: '0x0' }) },
      queued: { 2: expect.objectContaining({ nonce: '0x2' }) },
    });
    expect(await node.rpc.call('txpool_contentFrom', [LOGGER])).toEqual({ pending: {}, queued: {} });
    expect(await node.rpc.call('txpool_inspect')).toEqual({
      pending: { [sender]: { 0: `${target}: 5 wei + 100000 gas × 10000000000 wei` } },
      queued: { [sender]: { 2: 'contract creation: 0 wei + 100000 gas × 10000000000 wei' } },
    });
    expect(await node.rpc.call('eth_pendingTransactions')).toHaveLength(flavour === 'go' ? 0 : 1);
    await send(await signTransaction(two, { nonce: 1 }));
    expect(await node.rpc.call('txpool_status')).toEqual({ pending: '0x3', queued: '0x0' });
    expect(await nonce()).toBe('0x3');
  });

  test('eth_sendRawTransactionSync answers with the receipt of the block, or an error after its timeout', async () => {
    const driver = new Driver(node.engine, schedule);
    const receipt = node.rpc.call<{ status: Hex; blockNumber: Hex; transactionHash: Hex }>(
      'eth_sendRawTransactionSync',
      [await signTransaction(three)],
    );
    await expect.poll(() => node.rpc.call('eth_getTransactionCount', [three.address, 'pending'])).toBe('0x1');
    const { hash } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
    await driver.build(hash, GENESIS_TIME + 2, [l1Info(1)]);
    expect(await receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' });
    const waiting = node.rpc.call('eth_sendRawTransactionSync', [await signTransaction(three, { nonce: 1 }), 20]);
    await expect(waiting).rejects.toMatchObject({
      code: 4,
      data: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      message: expect.stringMatching(
        flavour === 'go'
          ? /^The transaction was added to the transaction pool but wasn't processed in 20ms$/
          : /^Transaction 0x[0-9a-f]{64} was added to the mempool but wasn't confirmed within 20ms\.$/,
      ),
    });
  });

  test('a block that leaves the chain returns its transactions, and the next one includes them', async () => {
    const driver = new Driver(node.engine, schedule);
    const { hash: parent, timestamp } = await node.rpc.call<{ hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    const time = Number(timestamp) + 2;
    const hash = await send(await signTransaction(four));
    const where = () => node.rpc.call<{ blockHash: Hex | null }>('eth_getTransactionByHash', [hash]);
    const left = await driver.build(parent, time, [l1Info(2)]);
    expect(await where()).toMatchObject({ blockHash: left.hash });
    const sibling = await driver.build(parent, time, [l1Info(3)], { fields: { noTxPool: true } });
    expect(await where()).toMatchObject({ blockHash: null });
    expect(await node.rpc.call('eth_getTransactionCount', [four.address, 'pending'])).toBe('0x1');
    const next = await driver.build(sibling.hash, time + 2, [l1Info(4)]);
    expect(await where()).toMatchObject({ blockHash: next.hash });
  });

  test('a legacy transaction without replay protection is accepted and included by the rust client', async () => {
    const raw = await three.signTransaction({
      type: 'legacy',
      nonce: Number(await node.rpc.call<Hex>('eth_getTransactionCount', [three.address, 'pending'])),
      gas: 21_000n,
      gasPrice: 10n ** 11n,
      to: one.address,
    });
    if (flavour === 'go') {
      await expect(send(raw)).rejects.toMatchObject({
        code: -32000,
        message: 'only replay-protected (EIP-155) transactions allowed over RPC',
      });
      return;
    }
    const hash = await send(raw);
    const head = await node.rpc.call<{ hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
    const block = await new Driver(node.engine, schedule).build(head.hash, Number(head.timestamp) + 2, [l1Info(5)]);
    const mined = await node.rpc.call('eth_getTransactionByHash', [hash]);
    expect(mined).toMatchObject({ blockHash: block.hash, from: three.address.toLowerCase() });
    expect(mined).not.toHaveProperty('chainId');
  });

  test('eth_sendRawTransactionConditional does not exist unless an option enables it', async () => {
    const sent = node.rpc.call('eth_sendRawTransactionConditional', [await signTransaction(four), {}]);
    await expect(sent).rejects.toMatchObject({ code: -32601 });
  });
});

/** Returns the signature with s in the upper half of the curve order. */
function highS(raw: Hex): Hex {
  const parsed = parseTransaction(raw);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s: Hex = `0x${(order - BigInt(parsed.s!)).toString(16).padStart(64, '0')}`;
  return serializeTransaction(parsed as never, { r: parsed.r!, s, yParity: parsed.yParity === 1 ? 0 : 1 });
}
