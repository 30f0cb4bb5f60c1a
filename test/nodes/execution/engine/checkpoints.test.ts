import { expect, it } from 'vitest';
import type { FlavourName } from '../../../../src/nodes/execution/flavours/interface/flavour.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { standaloneChannel } from '../../../../src/system/channel/channel.ts';
import type { Checkpoints } from '../../../../src/system/channel/checkpoints.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, upTo } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';

const schedule = upTo('jovian');

const signed = (nonce: number, value: bigint) =>
  ACCOUNTS[0]!.signTransaction({
    ...{ chainId: CHAIN_ID, type: 'eip1559', nonce, gas: 200_000n, value, to: LOGGER },
    ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1000n },
  });

it.each<FlavourName>(['go', 'rust'])(
  '%s restores a checkpoint, and builds other blocks of the same heights',
  async (flavour) => {
    let checkpoints: Checkpoints | undefined;
    const onCheckpoints = (next: Checkpoints) => {
      checkpoints = next;
    };
    const channel = { ...standaloneChannel(), onCheckpoints };
    await using node = await launch(genesisText(schedule), { flavour, channel });
    const { rpc } = node;
    const driver = new Driver(node.engine, schedule);
    const genesis = await rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
    let time = GENESIS_TIME;
    let seed = 0;
    const block = async (parent: Hex, raw: readonly Hex[] = []) => {
      time += 2;
      const payload = await driver.build(parent, time, [l1Info(++seed), ...raw], {
        until: async () => void (await rpc.call('eth_blockNumber')),
      });
      expect((await driver.import(payload)).status).toBe('VALID');
      await driver.makeCanonical(payload.hash, undefined, parent);
      return payload.hash;
    };
    const first = await block(genesis.hash);
    const filter = await rpc.call<Hex>('eth_newBlockFilter');
    const waiting = await signed(0, 5n);
    const hash = await rpc.call<Hex>('eth_sendRawTransaction', [waiting]);
    await checkpoints!.take(1);
    const label = async (name: string) => (await rpc.call<{ hash: Hex }>('eth_getBlockByNumber', [name, false])).hash;
    const labels = () => Promise.all(['latest', 'safe', 'finalized'].map(label));
    const before = await labels();

    const hashes = new Set<Hex>();
    for (let times = 0; times < 3; times++) {
      time = GENESIS_TIME + 2;
      const second = await block(first, [deposit({ mint: BigInt(times + 1) })]);
      const third = await block(second);
      await rpc.call('eth_sendRawTransaction', [await signed(1, BigInt(times))]);
      expect(await rpc.call('eth_getTransactionReceipt', [hash])).toMatchObject({ blockHash: second });
      hashes.add(second);
      await checkpoints!.suspend(1);
      await checkpoints!.restore(1);
      await checkpoints!.resume(1);
      expect(await labels()).toEqual(before);
      for (const orphan of [second, third]) expect(await rpc.call('eth_getBlockByHash', [orphan, false])).toBeNull();
      expect(await rpc.call('eth_getBlockByNumber', ['0x2', false])).toBeNull();
      expect(await rpc.call('eth_getTransactionReceipt', [hash])).toBeNull();
      expect(await rpc.call('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' });
      expect(await rpc.call('eth_getTransactionCount', [ACCOUNTS[0]!.address, 'pending'])).toBe('0x1');
      expect(await rpc.call('eth_getLogs', [{ fromBlock: '0x2', toBlock: 'latest' }]).catch(() => [])).toEqual([]);
      expect(await rpc.call('eth_getFilterChanges', [filter])).toEqual([]);
    }
    expect(hashes.size).toBe(3);
    const again = await block(first);
    expect(await rpc.call('eth_getFilterChanges', [filter])).toEqual([again]);
  },
);
