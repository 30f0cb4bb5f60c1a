import { readFileSync } from 'node:fs';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { L2BlockRef } from '../../../../src/protocol/types.ts';
import { eventually } from '../support/devnet.ts';
import type { RunningNode } from '../support/process.ts';
import { OptionNetwork } from './network.ts';

/** The first account that genesis funds. */
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

const heads = async (node: RunningNode) =>
  (await node.call('optimism_syncStatus')) as Record<'unsafe_l2', L2BlockRef> & Record<'head_l1', { number: number }>;
const isActive = (node: RunningNode) => node.call<boolean>('admin_sequencerActive');

describe('options of sequencing: two nodes that differ in one', () => {
  let network: OptionNetwork;
  let plain: RunningNode;
  let deep: RunningNode;
  let bound: RunningNode;
  let recovering: RunningNode;
  const start = (name: string, ...argv: string[]) =>
    network.node(name, [...network.sequencing(), '--p2p.disable', ...argv]);
  beforeAll(async () => {
    network = await OptionNetwork.start({ ageSeconds: 30 });
    [plain, deep, bound, recovering] = await Promise.all([
      start('plain'),
      start('deep', '--sequencer.l1-confs=6'),
      start('bound', '--sequencer.max-safe-lag=4'),
      start('recovering', '--sequencer.recover', '--sequencer.stopped'),
    ]);
  });
  afterAll(() => network[Symbol.asyncDispose]());

  it('--sequencer.l1-confs: origins are that far behind the L1 head', async () => {
    const lag = async (node: RunningNode) => {
      const { unsafe_l2, head_l1 } = await heads(node);
      return head_l1.number - unsafe_l2.l1origin.number;
    };
    for (const node of [plain, deep]) await node.reached('unsafe_l2', 20);
    await eventually(async () => ((await lag(plain)) < 4 ? true : undefined));
    expect(await lag(deep)).toBeGreaterThanOrEqual(6);
  });

  it('--sequencer.recover, admin_setRecoverMode: empty blocks, each upon the next L1 origin', async () => {
    await recovering.reached('head_l1', 10);
    await recovering.reached('current_l1', 1);
    const raw = await ACCOUNT.signTransaction({
      chainId: network.devnet.config.l2_chain_id,
      type: 'eip1559',
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
      to: ACCOUNT.address,
    });
    const [recoveringEngine, plainEngine] = [await network.engine('recovering'), await network.engine('plain')];
    const hash = await recoveringEngine.rpc.call<string>('eth_sendRawTransaction', [raw]);
    await plainEngine.rpc.call('eth_sendRawTransaction', [raw]);
    await recovering.call('admin_startSequencer');
    await recovering.reached('unsafe_l2', 8);
    const { blockRef } = await recovering.call<{ blockRef: L2BlockRef }>('optimism_outputAtBlock', '0x8');
    expect([blockRef.sequenceNumber, blockRef.l1origin.number]).toEqual([0, 8]);
    const receipt = async (engine: typeof plainEngine) =>
      (await engine.rpc.call('eth_getTransactionReceipt', [hash])) ?? undefined;
    await eventually(() => receipt(plainEngine));
    expect(await receipt(recoveringEngine)).toBeUndefined();
    await recovering.call('admin_setRecoverMode', false);
    await eventually(() => receipt(recoveringEngine));
  });

  it('--rpc.admin-state: survives a restart and wins over sequencer.stopped', async () => {
    const file = network.file('admin.json');
    const state = `--rpc.admin-state=${file}`;
    const stopped = async (name: string, ...argv: string[]) => {
      const node = await start(name, ...argv);
      await node.reached('unsafe_l2', 2);
      await node.call('admin_stopSequencer');
      await node.stop();
    };
    await Promise.all([stopped('keeping', state), stopped('forgetful')]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ sequencerStarted: false });
    const [keeping, forgetful] = await Promise.all([start('keeping', state), start('forgetful')]);
    for (const node of [keeping, forgetful]) await node.reached('unsafe_l2', 2);
    expect([await isActive(keeping), await isActive(forgetful)]).toEqual([false, true]);
    await keeping.call('admin_startSequencer');
    await Promise.all([keeping.stop(), forgetful.stop()]);
    const again = await start('keeping', state, '--sequencer.stopped');
    expect(await isActive(again)).toBe(true);
    await again[Symbol.asyncDispose]();
  });

  it('--sequencer.max-safe-lag: the unsafe head is at most that far past the safe head', async () => {
    await bound.reached('unsafe_l2', 4);
    await plain.reached('unsafe_l2', 20);
    const { head_l1 } = await heads(bound);
    await bound.reached('head_l1', head_l1.number + 2);
    expect((await heads(bound)).unsafe_l2.number).toBe(4);
    // From here on, L1 holds the chain of the bounded sequencer.
    await network.devnet.post(await network.engine('bound'), 1, 3);
    await bound.reached('unsafe_l2', 7);
  });
});
