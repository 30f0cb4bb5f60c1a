import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { network } from 'hardhat';
import { parseAbi } from 'viem';

const L1_BLOCK = '0x4200000000000000000000000000000000000015';

describe('a counter on the rollup', async () => {
  const { viem } = await network.create('l2');

  it('counts', async () => {
    const client = await viem.getPublicClient({ pollingInterval: 100 });
    const counter = await viem.deployContract('Counter', [], { client: { public: client } });
    // The receipt comes with the next block: a rollup has no automine.
    const { status } = await client.waitForTransactionReceipt({ hash: await counter.write.add([7n]) });
    assert.equal(status, 'success');
    assert.equal(await counter.read.number(), 7n);
    const [added] = await counter.getEvents.Added({}, { fromBlock: 0n });
    assert.equal(added?.args.number, 7n);
  });

  it('stands on L1 as Hardhat sees it', async () => {
    const l1 = await (await network.create('l1')).viem.getPublicClient();
    const l2 = await viem.getPublicClient();
    const abi = parseAbi(['function number() view returns (uint64)', 'function hash() view returns (bytes32)']);
    const origin = { address: L1_BLOCK, abi } as const;
    const blockNumber = await l2.getBlockNumber();
    const number = await l2.readContract({ ...origin, functionName: 'number', blockNumber });
    const hash = await l2.readContract({ ...origin, functionName: 'hash', blockNumber });
    assert.equal((await l1.getBlock({ blockNumber: number })).hash, hash);
  });
});
