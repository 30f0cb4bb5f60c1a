import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keccak256Text } from '../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { BlockId, Hex } from '../../../src/protocol/types.ts';
import { upTo } from '../../protocol/genesis/inputs.ts';
import { patientClient } from '../../rpc/patient-client.ts';
import type { TestNode } from '../execution/support/nodes.ts';
import { eventually, TestDevnet } from './support/devnet.ts';
import { startProxy } from './support/proxy.ts';

let devnet: TestDevnet | undefined;
afterEach(async () => {
  await devnet?.[Symbol.asyncDispose]();
  devnet = undefined;
});

const selector = (signature: string) => bytesToHex(keccak256Text(signature).subarray(0, 4));
const word = (value: bigint | number | Hex) => BigInt(value).toString(16).padStart(64, '0');
const blockAt = (node: TestNode, number: number) =>
  node.rpc.call<{ hash: Hex; extraData: Hex; transactions: Hex[]; gasLimit: Hex } | null>('eth_getBlockByNumber', [
    `0x${number.toString(16)}`,
    false,
  ]);

async function sendAs(from: Hex, to: Hex, data: Hex, value: Hex = '0x0'): Promise<void> {
  await devnet!.l1.call('anvil_impersonateAccount', [from]);
  await devnet!.l1.call('eth_sendTransaction', [{ from, to, data, value, gas: '0x100000' }]);
}

describe('a rollup node', () => {
  it('carries L1 deposits and config updates into the next epoch', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 2 });
    const engine = await devnet.engine();
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    await sequencer.reached('unsafe_l2', 1);
    const receiver = `0x${'77'.repeat(20)}` as Hex;
    const { accounts, roles } = devnet.inputs;
    const deposit = `${selector('depositTransaction(address,uint256,uint64,bool,bytes)')}${word(receiver)}${word(1000)}${word(100_000)}${word(0)}${word(160)}${word(0)}`;
    await sendAs(accounts[0]!.address, devnet.config.deposit_contract_address, deposit as Hex, '0x3e8');
    await sendAs(
      roles.owner,
      devnet.config.l1_system_config_address,
      `${selector('setGasLimit(uint64)')}${word(25_000_000)}` as Hex,
    );
    await eventually(async () =>
      (await engine.rpc.call('eth_getBalance', [receiver, 'latest'])) === '0x3e8' ? true : undefined,
    );
    await eventually(async () =>
      Number((await engine.rpc.call<{ gasLimit: Hex }>('eth_getBlockByNumber', ['latest', false])).gasLimit) ===
      25_000_000
        ? true
        : undefined,
    );
  });

  it('crosses a fork in mid-chain, and a verifier with a later fork time does not follow', async () => {
    devnet = await TestDevnet.start({
      ageSeconds: 12,
      scheduleAt: (genesis) => ({ ...upTo('granite'), holocene: genesis + 5 }),
    });
    const { holocene_time: time } = devnet.config as unknown as { holocene_time: number };
    const [engine, other, late] = [
      await devnet.engine(),
      await devnet.engine(),
      await devnet.engine({ holocene: time + 600 }),
    ];
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    const peer = `--p2p.static=${await sequencer.address()}`;
    const verifier = await devnet.node(other.node.ports.engine, peer);
    const straggler = await devnet.node(late.node.ports.engine, peer, `--override.holocene=${time + 600}`);
    const { number, hash } = await verifier.reached('unsafe_l2', 10);
    expect((await blockAt(engine, number))?.hash).toBe(hash);
    expect([(await blockAt(other, 4))?.extraData, (await blockAt(other, 5))?.extraData]).toEqual([
      '0x',
      '0x00000000fa00000006',
    ]);
    await straggler.reached('unsafe_l2', 4);
    await devnet.post(engine, 1, 8);
    const safe = await verifier.reached('safe_l2', 8);
    const split = await straggler.reached('safe_l2', 8);
    expect(split.hash).not.toBe(safe.hash);
    expect((await blockAt(late, 4))?.hash).toBe((await blockAt(engine, 4))?.hash);
    expect((await blockAt(late, 5))?.hash).not.toBe((await blockAt(engine, 5))?.hash);
  });

  it('stalls at a channel with one flipped byte, and continues with a good one', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 10 });
    const engine = await devnet.engine();
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    await sequencer.reached('unsafe_l2', 8);
    await devnet.post(engine, 1, 4, (data) => data.map((byte, at) => (at === 60 ? byte ^ 1 : byte)));
    const posted = (await sequencer.status())['head_l1']!.number;
    await sequencer.reached('current_l1', posted + 2);
    expect((await sequencer.status())['safe_l2']?.number).toBe(0);
    await devnet.post(engine, 1, 6);
    expect(await sequencer.reached('safe_l2', 6)).toMatchObject({ number: 6, hash: (await blockAt(engine, 6))?.hash });
  });

  it('replaces unsafe blocks that L1 contradicts', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 10 });
    const { l1 } = devnet;
    const [engine, other] = [await devnet.engine(), await devnet.engine()];
    // A sequencer that starts before L1 has made up for its age takes older L1 origins, too.
    await eventually(async () => Number(await l1.call('eth_blockNumber', [])) >= 10 || undefined);
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    await sequencer.reached('unsafe_l2', 8);
    // The chain of another sequencer: the same rollup, with older L1 origins.
    const rogue = await devnet.sequencer(other.node.ports.engine, '--p2p.disable', '--sequencer.l1-confs=100');
    await rogue.reached('unsafe_l2', 6);
    expect((await blockAt(other, 5))?.hash).not.toBe((await blockAt(engine, 5))?.hash);
    await rogue.rpc.call('admin_stopSequencer');
    await sequencer.rpc.call('admin_stopSequencer');
    await devnet.post(other, 1, 5);
    const safe = await sequencer.reached('safe_l2', 5);
    expect(safe.hash).toBe((await blockAt(other, 5))?.hash);
    expect((await blockAt(engine, 5))?.hash).toBe(safe.hash);
  });

  it('follows L1 through a reorganisation', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 19, mine: false });
    const { l1, config } = devnet;
    const mine = async (time: number) => {
      await l1.call('evm_setNextBlockTimestamp', [`0x${time.toString(16)}`]);
      await l1.call('evm_mine', []);
    };
    for (let slot = 1; slot <= 6; slot++) await mine(config.genesis.l2_time + 2 * slot);
    const [engine, other] = [await devnet.engine(), await devnet.engine()];
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    const verifier = await devnet.node(other.node.ports.engine, `--p2p.static=${await sequencer.address()}`);
    await verifier.reached('unsafe_l2', 8);
    const before = await blockAt(engine, 8);
    expect((await blockAt(other, 8))?.hash).toBe(before?.hash);
    await l1.call('anvil_rollback', [3]);
    for (let slot = 4; slot <= 8; slot++) await mine(config.genesis.l2_time + 2 * slot + 1);
    const isCanonical = async () => {
      const { blockRef } = await sequencer.rpc.call<{ blockRef: { l1origin: BlockId } }>('optimism_outputAtBlock', [
        '0x8',
      ]);
      const { hash, number } = blockRef.l1origin;
      return (await l1.call<{ hash: Hex }>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])).hash === hash;
    };
    await eventually(async () => ((await isCanonical()) ? true : undefined));
    await eventually(async () =>
      (await blockAt(other, 8))?.hash === (await blockAt(engine, 8))?.hash ? true : undefined,
    );
    expect((await blockAt(engine, 8))?.hash).not.toBe(before?.hash);
  });

  it('ends with the reason when L1 is reorganised below its finalized block', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 30, mine: false });
    const { l1, config } = devnet;
    const mine = async (time: number) => {
      await l1.call('evm_setNextBlockTimestamp', [`0x${time.toString(16)}`]);
      await l1.call('evm_mine', []);
    };
    for (let slot = 1; slot <= 5; slot++) await mine(config.genesis.l2_time + 2 * slot);
    const engine = await devnet.engine();
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    await sequencer.reached('unsafe_l2', 8);
    await devnet.post(engine, 1, 8);
    for (let slot = 6; slot <= 10; slot++) await mine(config.genesis.l2_time + 2 * slot);
    await sequencer.reached('finalized_l2', 8);
    await l1.call('anvil_rollback', [6]);
    for (let slot = 5; slot <= 12; slot++) await mine(config.genesis.l2_time + 2 * slot + 1);
    await expect(sequencer.node.failed).rejects.toMatchObject({
      code: 'chain',
      cause: { message: expect.stringMatching(/L1 was reorganised below its finality/) },
    });
  });

  it('continues with an engine that restarted, and with one that lost its blocks', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 10 });
    const [engine, first, empty] = [await devnet.engine(), await devnet.engine(), await devnet.engine()];
    const sequencer = await devnet.sequencer(engine.node.ports.engine);
    const proxy = devnet.with(await startProxy(first.node.ports.engine));
    const verifier = await devnet.node(proxy.port, `--p2p.static=${await sequencer.address()}`);
    const before = await verifier.reached('unsafe_l2', 8);
    proxy.pointTo(undefined);
    await sequencer.reached('unsafe_l2', before.number + 1);
    proxy.pointTo(first.node.ports.engine);
    const after = await verifier.reached('unsafe_l2', before.number + 1);
    proxy.pointTo(empty.node.ports.engine);
    await eventually(async () => ((await blockAt(empty, after.number)) ? true : undefined));
    expect((await blockAt(empty, after.number))?.hash).toBe(after.hash);
  });

  it('continues to sequence when its engine lost its blocks', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 10 });
    const [first, empty] = [await devnet.engine(), await devnet.engine()];
    const proxy = devnet.with(await startProxy(first.node.ports.engine));
    const sequencer = await devnet.sequencer(proxy.port);
    const before = await sequencer.reached('unsafe_l2', 4);
    proxy.pointTo(empty.node.ports.engine);
    await eventually(async () => ((await blockAt(empty, before.number)) ? true : undefined));
  });

  it('continues after L1 was down, with heads by subscription or by polling', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 10 });
    const [engine, other] = [await devnet.engine(), await devnet.engine()];
    const port = Number(new URL(devnet.l1Url).port);
    const proxy = devnet.with(await startProxy(port));
    const sequencer = await devnet.sequencer(engine.node.ports.engine, `--l1=ws://127.0.0.1:${proxy.port}`);
    const poller = await devnet.node(
      other.node.ports.engine,
      `--l1=http://127.0.0.1:${proxy.port}`,
      '--l1.http-poll-interval=50ms',
      `--p2p.static=${await sequencer.address()}`,
    );
    await poller.reached('head_l1', 3);
    const away = await sequencer.reached('unsafe_l2', 4);
    proxy.pointTo(undefined);
    await sequencer.reached('unsafe_l2', away.number + 1);
    const before = (await sequencer.status())['head_l1']!.number;
    proxy.pointTo(port);
    await sequencer.reached('head_l1', before + 1);
    await poller.reached('head_l1', before + 1);
    await devnet.post(engine, 1, 4);
    expect(await poller.reached('safe_l2', 4)).toEqual(await sequencer.reached('safe_l2', 4));
  });

  it.each([
    ['l1_chain_id', '--l1 answers as chain 900, rollup.json is for L1 chain 5'],
    ['l2_chain_id', '--l2 answers as chain 901, rollup.json is for L2 chain 5'],
  ])('ends when %s is not that of its chain', async (key, words) => {
    devnet = await TestDevnet.start({ ageSeconds: 2 });
    const engine = await devnet.engine();
    const file = join(devnet.folder, 'other.json');
    writeFileSync(file, JSON.stringify({ ...devnet.config, [key]: 5 }));
    const { node } = await devnet.node(engine.node.ports.engine, `--rollup.config=${file}`);
    await expect(node.failed).rejects.toMatchObject({ code: 'chain', cause: { message: words } });
  });

  it('ends when the genesis of the engine differs from that of rollup.json', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 2 });
    const engine = await devnet.engine();
    const file = join(devnet.folder, 'other.json');
    const { genesis } = devnet.config;
    writeFileSync(
      file,
      JSON.stringify({
        ...devnet.config,
        genesis: { ...genesis, l2: { ...genesis.l2, hash: `0x${'12'.repeat(32)}` } },
      }),
    );
    const { node } = await devnet.node(engine.node.ports.engine, `--rollup.config=${file}`);
    await expect(node.failed).rejects.toMatchObject({ cause: { message: expect.stringContaining(genesis.l2.hash) } });
  });

  it('names both sides when the JWT secrets differ', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 2 });
    const engine = await devnet.engine();
    const url = `http://127.0.0.1:${engine.node.ports.engine}`;
    const { RpcEngineClient } = await import('../../../src/nodes/rollup/engine/client.ts');
    const { rollupOf } = await import('../../../src/protocol/derivation/rollup.ts');
    const rpc = patientClient({ url, jwtSecret: new Uint8Array(32).fill(9) });
    const secretFile = join(devnet.folder, 'other.hex');
    const client = new RpcEngineClient({ rpc, rollup: rollupOf(devnet.config), url, secretFile });
    const refused = client.payloadByLabel('latest');
    await expect(refused).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(refused).rejects.toThrow(url);
    await expect(refused).rejects.toThrow(secretFile);
    client.close();
  });
});
