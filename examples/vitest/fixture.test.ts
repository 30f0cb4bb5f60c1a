import { devnetTest } from 'rollup-devnet/vitest';
import { expect } from 'vitest';

// One network for the tests of this file. A clock that follows transactions does not let a test wait for a block.
const test = devnetTest({ spec: 'default', ports: 'auto', clock: 'instant' });

test('ether moves on L2', async ({ devnet }) => {
  const { wallet, public: client, accounts } = devnet.chain('main');
  const hash = await wallet.sendTransaction({ to: accounts[1]!.address, value: 1n });
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success');
});

test('a minute passes on every node', async ({ devnet }) => {
  const { public: client, test: time } = devnet.chain('main');
  const before = await client.getBlock();
  await time.increaseTime({ seconds: 60 });
  const after = await client.getBlock();
  expect(after.timestamp - before.timestamp).toBeGreaterThanOrEqual(58n);
});
