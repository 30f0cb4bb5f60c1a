import { beforeEach, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, l1Info } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';

const schedule = upTo('jovian');
/** Gas of the L1 attributes and two transactions of {@link BULK}. */
const GAS = 1_250_000;
const BULK: Hex = `0x${'11'.repeat(12_000)}`;
const BULK_GAS = 21_000n + 12_000n * 40n;
let node: TestNode;
let driver: Driver;
let genesis: Hex;

beforeEach(async () => {
  node = await launch(genesisText(schedule), { flavour: 'go' });
  driver = new Driver(node.engine, schedule);
  genesis = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  return () => node[Symbol.asyncDispose]();
});

/** Sends a transaction that fills almost half a block. `tip` in wei per gas. */
async function send(account: number, tip: bigint, nonce = 0): Promise<Hex> {
  const raw = await ACCOUNTS[account]!.signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    nonce,
    gas: BULK_GAS,
    maxFeePerGas: tip * 10n ** 12n,
    maxPriorityFeePerGas: tip,
    to: '0x000000000000000000000000000000000000dead',
    data: BULK,
  });
  return node.rpc.call<Hex>('eth_sendRawTransaction', [raw]);
}

/** Starts a block from the pool. `tips` reads what it earns so far. */
async function begin(time: number) {
  const attributes = driver.attributes(GENESIS_TIME + time, [l1Info(time)], { gasLimit: `0x${GAS.toString(16)}` });
  const { payloadId } = await driver.makeCanonical(genesis, attributes);
  const job = node.node.context.engine.job(payloadId!);
  const hashes = async () => {
    const { hash } = await driver.payload(payloadId!, GENESIS_TIME + time).then(async (payload) => {
      await driver.import(payload);
      return payload;
    });
    const { transactions } = await node.rpc.call<{ transactions: Hex[] }>('eth_getBlockByHash', [hash, false]);
    return transactions.slice(1);
  };
  return { tips: () => job.tips, hashes };
}

test('a full block is rebuilt for better transactions until getPayload', async () => {
  const cheap = [await send(0, 5n), await send(1, 6n)];
  const block = await begin(2);
  await expect.poll(block.tips).toBe(11n * BULK_GAS);
  const better = await send(2, 9n);
  await expect.poll(block.tips).toBe(15n * BULK_GAS);
  const best = await send(3, 8n);
  await expect.poll(block.tips).toBe(17n * BULK_GAS);
  const worse = await send(4, 7n);
  expect(await block.hashes()).toEqual([better, best]);
  expect(await block.hashes()).toEqual([better, best]);

  const next = await begin(4);
  await expect.poll(next.tips).toBe(17n * BULK_GAS);
  const replaced = await send(2, 12n);
  await expect.poll(next.tips).toBe(20n * BULK_GAS);
  expect(await next.hashes()).toEqual([replaced, best]);
  for (const hash of [...cheap, worse])
    expect(await node.rpc.call('eth_getTransactionByHash', [hash])).toMatchObject({ blockHash: null });
});

test('getPayload returns at once while a better block is tried', async () => {
  const block = await begin(6);
  for (let account = 0; account < 5; account++) await send(account, 100n + BigInt(account) * 10n);
  const hashes = await block.hashes();
  expect(hashes.length).toBeGreaterThan(0);
  expect(hashes.length).toBeLessThanOrEqual(2);
});
