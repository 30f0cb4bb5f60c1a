import assert from 'node:assert/strict';
import { it } from 'node:test';
import { network } from 'hardhat';

it('a counter that is deployed on the rollup counts', async () => {
  const { viem } = await network.create();
  const counter = await viem.deployContract('Counter');
  const client = await viem.getPublicClient();
  await client.waitForTransactionReceipt({ hash: await counter.write.add([7n]) });
  assert.equal(await counter.read.number(), 7n);
  assert.equal(await client.getChainId(), 901);
});
