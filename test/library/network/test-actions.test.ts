import { createTestClient, custom } from 'viem';
import { expect, it } from 'vitest';
import { UnsupportedError } from '../../../src/library/network/errors.ts';
import { type RollupMoves, rollupTestActions } from '../../../src/library/network/test-actions.ts';

const ADDRESS = '0x00000000000000000000000000000000000000aa';

/** Records what a test client does to its network, if the address has 5 wei. */
function recorded() {
  const done: unknown[] = [];
  const note =
    (name: string) =>
    async (...values: readonly unknown[]) =>
      void done.push([name, ...values]);
  const moves: RollupMoves = {
    blockTime: 2,
    mine: note('mine'),
    increaseTime: note('increaseTime'),
    warpTo: note('warpTo'),
    balanceOf: async () => 5n,
    fund: note('fund'),
  };
  const transport = custom({ request: async ({ method }) => method });
  return { done, client: createTestClient({ mode: 'anvil', transport }).extend(() => rollupTestActions(moves)) };
}

it('mining and time are warps of the network', async () => {
  const { done, client } = recorded();
  await client.mine({ blocks: 3 });
  await client.mine({ blocks: 1, interval: 2 });
  expect(await client.increaseTime({ seconds: 60 })).toBe('0x3c');
  await client.setNextBlockTimestamp({ timestamp: 1_800_000_000n });
  expect(done).toEqual([
    ['mine', 3],
    ['mine', 1],
    ['increaseTime', 60],
    ['warpTo', 1_800_000_000],
  ]);
  await expect(client.mine({ blocks: 1, interval: 7 })).rejects.toThrow('2 s apart, not 7');
});

it('a higher balance is a deposit of the difference, a lower one is refused', async () => {
  const { done, client } = recorded();
  await client.setBalance({ address: ADDRESS, value: 12n });
  await client.setBalance({ address: ADDRESS, value: 5n });
  expect(done).toEqual([['fund', ADDRESS, 7n]]);
  await expect(client.setBalance({ address: ADDRESS, value: 4n })).rejects.toThrow(UnsupportedError);
});

it('a test action that would make the clients diverge is refused before it reaches one', async () => {
  const { client } = recorded();
  const refused = await client.setCode({ address: ADDRESS, bytecode: '0x00' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnsupportedError);
  expect(refused).toMatchObject({
    code: 'unsupported',
    method: 'setCode',
    message: expect.stringContaining('every node derives'),
  });
  await expect(client.snapshot()).rejects.toThrow(UnsupportedError);
  await expect(client.impersonateAccount({ address: ADDRESS })).rejects.toThrow(/sign with the key/);
});

it('the transaction pool is read from the client', async () => {
  const { client } = recorded();
  expect(await client.getTxpoolContent()).toBe('txpool_content');
});
