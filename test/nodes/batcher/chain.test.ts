import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, it } from 'vitest';
import { accountOf } from '../../../src/nodes/txmgr/account.ts';
import { roleAccounts } from '../../../src/protocol/genesis/index.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { contracts } from '../../protocol/genesis/inputs.ts';
import type { TestNode } from '../execution/support/nodes.ts';
import { eventually, TestDevnet, type TestRollupNode } from '../rollup/support/devnet.ts';
import { startProxy } from '../rollup/support/proxy.ts';
import { type BatcherChanges, launchBatcher } from './launch.ts';

/** The first account that genesis funds. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

let devnet: TestDevnet;
afterEach(() => devnet[Symbol.asyncDispose]());

/** Starts a batcher with the key of the rollup's batcher address. */
async function batcher(engine: TestNode, node: TestRollupNode, changes: BatcherChanges = {}): Promise<void> {
  const { batcher: role } = roleAccounts(devnet.inputs.chainId, contracts);
  const running = await launchBatcher(accountOf(hexToBytes(role.privateKey)), {
    l1: devnet.l1Url,
    l2: engine.url,
    rollup: `http://127.0.0.1:${node.node.rpcPort}`,
    ...changes,
  });
  devnet.with({ [Symbol.asyncDispose]: () => running.stop() });
}

const hashAt = async (node: TestNode, number: number) =>
  (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])).hash;

describe('a batcher of real nodes', () => {
  it('throttles the sequencer while L1 does not take its blocks', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 4 });
    const engine = await devnet.engine();
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    const throttle = {
      throttleLower: 1,
      throttleController: 'step',
      throttleTxLower: 0,
      throttleBlockLower: 500,
    } as const;
    await batcher(engine, sequencer, throttle);
    const account = privateKeyToAccount(KEY);
    let nonce = 0;
    const transfers = async (count: number) => {
      const hashes: Hex[] = [];
      for (let sent = 0; sent < count; sent++) {
        const raw = await account.signTransaction({
          chainId: devnet.config.l2_chain_id,
          type: 'eip1559',
          nonce: nonce++,
          gas: 21_000n,
          maxFeePerGas: 10n ** 10n,
          maxPriorityFeePerGas: 10n ** 9n,
          to: account.address,
        });
        hashes.push(await engine.rpc.call('eth_sendRawTransaction', [raw]));
      }
      return hashes;
    };
    const fullest = async () => {
      const sizes = new Map<string, number>();
      for (const hash of await transfers(20)) {
        const { blockNumber } = await eventually(
          async () =>
            (await engine.rpc.call<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash])) ?? undefined,
        );
        sizes.set(blockNumber, (sizes.get(blockNumber) ?? 0) + 1);
      }
      return Math.max(...sizes.values());
    };
    // Each transfer counts as 100 bytes.
    await eventually(async () => ((await fullest()) <= 5 ? true : undefined));
  });

  it('continues when L1 answers again', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 6 });
    const engine = await devnet.engine();
    const port = Number(new URL(devnet.l1Url).port);
    const proxy = devnet.with(await startProxy(port));
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    await batcher(engine, sequencer, { l1: `ws://127.0.0.1:${proxy.port}` });
    const { number } = await sequencer.reached('safe_l2', 1);
    proxy.pointTo(undefined);
    await sequencer.reached('unsafe_l2', (await sequencer.status())['unsafe_l2']!.number + 2);
    proxy.pointTo(port);
    const safe = await sequencer.reached('safe_l2', number + 4);
    expect(safe.hash).toBe(await hashAt(engine, safe.number));
  });

  it('posts transactions again that a reorganisation of L1 removed', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 30, mine: false });
    const { l1, config } = devnet;
    let time = config.genesis.l2_time;
    const mine = async () => {
      time += 2;
      await l1.call('evm_setNextBlockTimestamp', [`0x${time.toString(16)}`]);
      await l1.call('evm_mine', []);
    };
    for (let slot = 1; slot <= 4; slot++) await mine();
    const [engine, other] = [await devnet.engine(), await devnet.engine()];
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    const verifier = await devnet.node(other.node.ports.engine, '--p2p.disable');
    await sequencer.reached('unsafe_l2', 8);
    await sequencer.rpc.call('admin_stopSequencer');
    await batcher(engine, sequencer);
    const reached = async (number: number) =>
      eventually(async () => {
        const pool = await l1.call<{ pending: Hex }>('txpool_status');
        const { safe_l2 } = await verifier.status();
        if (safe_l2!.number >= number) return safe_l2;
        if (Number(pool.pending) > 0) await mine();
        return undefined;
      });
    const before = await reached(8);
    await l1.call('anvil_rollback', [1]);
    await l1.call('anvil_dropAllTransactions');
    time++;
    for (let slot = 0; slot < 6; slot++) await mine();
    await eventually(async () => ((await verifier.status())['safe_l2']!.number === 0 ? true : undefined));
    const after = await reached(before!.number);
    expect(await hashAt(engine, before!.number)).toBe(before!.hash);
    expect(after!.hash).toBe(await hashAt(engine, after!.number));
  });
});
