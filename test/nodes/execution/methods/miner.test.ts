import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, l1Info } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, upTo } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';

const schedule = upTo('jovian');

/** Nonces of each sender's transactions that a block includes. */
test.each<[string, [Hex, Hex], number[]]>([
  ['no limit', ['0x0', '0x0'], [120, 900, 2000]],
  ['1,000 bytes per transaction', ['0x3e8', '0x0'], [120, 900]],
  ['1,300 bytes per block', ['0x0', '0x514'], [120, 900]],
  ['both', ['0x1f4', '0x514'], [120]],
])('miner_setMaxDASize limits a block that is built under %s', async (_, params, expected) => {
  await using node = await launch(genesisText(schedule), { flavour: 'go' });
  expect(await node.rpc.call('miner_setMaxDASize', params)).toBe(true);
  const sizes = [120, 900, 2000];
  for (const [index, size] of sizes.entries()) {
    const raw = await ACCOUNTS[index]!.signTransaction({
      chainId: CHAIN_ID,
      type: 'eip1559',
      nonce: 0,
      gas: 200_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: BigInt(1000 - index),
      to: LOGGER,
      data: bytesToHex(randomBytes(size)),
    });
    await node.rpc.call('eth_sendRawTransaction', [raw]);
  }
  const genesis = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  const payload = await new Driver(node.engine, schedule).build(genesis.hash, GENESIS_TIME + 2, [l1Info(1)], {
    until: async () => {
      await node.rpc.call('eth_blockNumber');
    },
  });
  const block = await node.rpc.call<{ transactions: { input: Hex; type: Hex }[] }>('eth_getBlockByHash', [
    payload.hash,
    true,
  ]);
  const lengths = block.transactions.filter(({ type }) => type !== '0x7e').map(({ input }) => (input.length - 2) / 2);
  expect(lengths).toEqual(expected);
});
