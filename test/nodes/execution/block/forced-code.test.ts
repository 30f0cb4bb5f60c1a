import { expect, test } from 'vitest';
import { CREATE2_DEPLOYER } from '../../../../src/protocol/execution/create2-deployer.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { Driver, l1Info } from '../support/driver.ts';
import { GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';

test.each<[string, number, readonly boolean[]]>([
  ['the block at the activation time sets it', GENESIS_TIME + 4, [false, true, true]],
  ['no block has that very time: it is never set', GENESIS_TIME + 3, [false, false, false]],
])('Create2Deployer at canyon, on a genesis that lacks its code: %s', async (_, canyon, expected) => {
  const schedule = { ...upTo('regolith'), canyon };
  const before = { [CREATE2_DEPLOYER.address]: { balance: '0x5', nonce: '0x2', code: '0x00' } };
  await using node = await launch(genesisText(schedule, before));
  const driver = new Driver(node.engine, schedule);
  const { hash: genesis } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  let hash = genesis;
  for (let number = 1; number <= 3; number++)
    hash = (await driver.build(hash, GENESIS_TIME + number * 2, [l1Info(number)])).hash;
  const codes = await Promise.all(
    ['0x1', '0x2', '0x3'].map((tag) => node.rpc.call<Hex>('eth_getCode', [CREATE2_DEPLOYER.address, tag])),
  );
  expect(codes.map((code) => code === CREATE2_DEPLOYER.code)).toEqual(expected);
  expect(await node.rpc.call('eth_getTransactionCount', [CREATE2_DEPLOYER.address, 'latest'])).toBe('0x2');
  expect(await node.rpc.call('eth_getBalance', [CREATE2_DEPLOYER.address, 'latest'])).toBe('0x5');
});
