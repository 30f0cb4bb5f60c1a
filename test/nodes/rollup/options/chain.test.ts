import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { l1ChainConfig } from '../../../../src/protocol/genesis/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';
import { JWT } from '../../execution/support/nodes.ts';
import { eventually } from '../support/devnet.ts';
import type { RunningNode } from '../support/process.ts';
import { OptionNetwork } from './network.ts';
import { RecordingProxy } from './recording-proxy.ts';

/** Returns the transactions of the first block. */
async function transactions(network: OptionNetwork, name: string, block: number): Promise<{ input: Hex }[]> {
  const { rpc } = await network.engine(name);
  const answer = await eventually(
    async () =>
      (await rpc.call<{ transactions: { input: Hex }[] } | null>('eth_getBlockByNumber', [
        `0x${block.toString(16)}`,
        true,
      ])) ?? undefined,
  );
  return answer.transactions;
}

describe('options of what a node keeps and how it reads the chain: two nodes that differ in one', () => {
  let network: OptionNetwork;
  let sequencer: RunningNode;
  let plain: RunningNode;
  let archive: RunningNode;
  let proxy: RecordingProxy;
  beforeAll(async () => {
    network = await OptionNetwork.start({ ageSeconds: 12 });
    const engine = await network.engine('kept');
    proxy = network.devnet.with(await RecordingProxy.to(`http://127.0.0.1:${engine.node.ports.engine}`, JWT));
    [sequencer, plain, archive] = await Promise.all([
      network.node('sequencer', [...network.sequencing(), '--p2p.disable']),
      network.node('plain', ['--p2p.disable']),
      network.node('kept', [
        '--p2p.disable',
        `--l2=${proxy.url}`,
        `--safedb.path=${network.file('safedb')}`,
        '--fetch-withdrawal-root-from-state',
      ]),
    ]);
    await sequencer.reached('unsafe_l2', 5);
    await network.devnet.post(await network.engine('sequencer'), 1, 4);
    await Promise.all([plain, archive].map((node) => node.reached('safe_l2', 4)));
  });
  afterAll(() => network[Symbol.asyncDispose]());

  it('--safedb.path: the safe head at an L1 block is served, also after a restart', async () => {
    const { safe_l2, head_l1 } = await archive.status();
    const at = `0x${head_l1!.number.toString(16)}`;
    const entry = await archive.call('optimism_safeHeadAtL1Block', at);
    expect(entry.safeHead).toEqual({ hash: safe_l2!.hash, number: safe_l2!.number });
    await expect(archive.call('consensus_safeHeadAtL1Block', '0x0')).rejects.toThrow('not found');
    await expect(plain.call('optimism_safeHeadAtL1Block', at)).rejects.toThrow('safe head database not enabled');
    const again = await network.nodes.start('again', [`--safedb.path=${network.file('safedb')}`]);
    expect(await again.call('consensus_safeHeadAtL1Block', at)).toEqual(entry);
    await again[Symbol.asyncDispose]();
  });

  it('--fetch-withdrawal-root-from-state: the engine gives a proof, and the root is the same', async () => {
    const before = proxy.count('eth_getProof');
    const output = await archive.call('optimism_outputAtBlock', '0x2');
    expect(proxy.count('eth_getProof')).toBe(before + 1);
    const { outputRoot, withdrawalStorageRoot } = await plain.call('optimism_outputAtBlock', '0x2');
    expect([output.outputRoot, output.withdrawalStorageRoot]).toEqual([outputRoot, withdrawalStorageRoot]);
    const { engine: port } = (await network.engine('plain')).node.ports;
    const engine = await RecordingProxy.to(`http://127.0.0.1:${port}`, JWT);
    const header = await network.node('header', ['--p2p.disable', `--l2=${engine.url}`]);
    await header.reached('safe_l2', 4);
    expect((await header.call('optimism_outputAtBlock', '0x2')).outputRoot).toBe(outputRoot);
    expect(engine.count('eth_getProof')).toBe(0);
    await Promise.all([header, engine].map((one) => one[Symbol.asyncDispose]()));
  });

  it('--verifier.l1-confs: derivation stays that many blocks behind the L1 head', async () => {
    const distant = await network.node('distant', ['--p2p.disable', '--verifier.l1-confs=10']);
    // Both catch up as far as allowed; one keeps its confirmation distance.
    const distances: number[] = [];
    const near = (node: typeof plain, distance: number) =>
      eventually(async () => {
        const now = await node.status();
        if (now['head_l1']!.number <= 15 || now['current_l1']!.number === 0) return undefined;
        const lag = now['head_l1']!.number - now['current_l1']!.number;
        if (node === distant) distances.push(lag);
        return lag < distance ? true : undefined;
      });
    await near(distant, 12);
    await near(plain, 5);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(9);
    await distant[Symbol.asyncDispose]();
  });

  it('--clock, --clock.task: the time is that of the file', async () => {
    writeFileSync(network.file('clock.json'), JSON.stringify({ at: Date.now() + 20_000, wall: Date.now(), rate: 1 }));
    const early = await network.node('early', [
      ...network.sequencing(),
      '--p2p.disable',
      `--clock=${network.file('clock.json')}`,
      '--clock.task=main/early/cl',
    ]);
    await eventually(async () => (await early.status())['unsafe_l2']!.timestamp > Date.now() / 1000 + 3 || undefined);
    expect((await sequencer.status())['unsafe_l2']!.timestamp).toBeLessThan(Date.now() / 1000 + 2);
    await early[Symbol.asyncDispose]();
  });

  it('--syncmode, --l2.enginekind: engines sync by their peers, geth before finality only', async () => {
    await plain.reached('finalized_l2', 1);
    await plain.stop();
    const engine = `--l2=http://127.0.0.1:${(await network.engine('plain')).node.ports.engine}`;
    const start = (name: string, ...argv: string[]) =>
      network.nodes.start(name, [...network.l1(), '--p2p.disable', engine, ...argv]);
    const [derives, geth, reth, fresh] = await Promise.all([
      start('derives', '--l2.enginekind=reth'),
      start('geth', '--syncmode=execution-layer'),
      start('reth', '--syncmode=execution-layer', '--l2.enginekind=reth'),
      network.node('fresh', ['--p2p.disable', '--syncmode=execution-layer']),
    ]);
    const headReports = (node: RunningNode) => node.logged('heads found').length;
    for (const node of [derives, geth]) await eventually(async () => headReports(node) > 0 || undefined);
    for (const node of [reth, fresh]) {
      await node.reached('head_l1', (await geth.status())['head_l1']!.number + 2);
      expect(headReports(node)).toBe(0);
    }
    await Promise.all([derives, geth, reth, fresh].map((node) => node[Symbol.asyncDispose]()));
  });

  it("--rollup.l1-chain-config: L1's blob base fee follows the fractions of that file", async () => {
    const file = network.file('l1-config.json');
    const config = {
      ...l1ChainConfig({ chainId: 900, hardfork: 'prague' }),
      cancunTime: 0,
      blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 1_000_000 } },
    };
    writeFileSync(file, JSON.stringify({ config }));
    const l1 = network.devnet.with(await RecordingProxy.to(network.devnet.l1Url));
    l1.answer = async (_, __, pass) => {
      const answer = await pass();
      return typeof answer === 'object' ? { ...answer, excessBlobGas: '0x989680' } : answer;
    };
    const start = (name: string, ...argv: string[]) =>
      network.node(name, [
        ...network.sequencing(),
        '--p2p.disable',
        `--l1=${l1.url}`,
        '--l1.trustrpc',
        '--l1.http-poll-interval=200ms',
        ...argv,
      ]);
    const nodes = await Promise.all([start('usual'), start('told', `--rollup.l1-chain-config=${file}`)]);
    for (const node of nodes) await node.reached('unsafe_l2', 1);
    // Isthmus: selector, two scalars, sequence number, time, number, base fee, blob base fee.
    const feeOf = async (name: string) => {
      const [attributes] = await transactions(network, name, 1);
      return Number(BigInt(`0x${attributes!.input.slice(2 + 2 * 68, 2 + 2 * 100)}`));
    };
    // e^(10^7 / 10^6), by EIP-4844's integer series; and with the fraction of prague.
    expect([await feeOf('told'), await feeOf('usual')]).toEqual([22026, 7]);
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  });
});

describe('a fork that activates after genesis', () => {
  it('--rollup.upgrade-bundles: reads the upgrade transactions of the folder; no node starts without', async () => {
    await using network = await OptionNetwork.start({
      ageSeconds: 6,
      scheduleAt: (genesis) => ({ ...upTo('holocene'), isthmus: genesis + 2 }),
    });
    const argv = [...network.sequencing(), '--p2p.disable'];
    const lacking = await network.nodes.ending('lacking', [...(await network.argv('lacking')), ...argv]);
    expect(lacking.code).toBe(1);
    expect(lacking.text).toContain('activates after genesis');
    const folder = network.file('bundles');
    mkdirSync(folder);
    const marker = { intent: 'Mark', from: `0x${'11'.repeat(20)}`, gasLimit: 100_000, data: '0x600160005500' };
    writeFileSync(join(folder, 'isthmus.json'), JSON.stringify({ metadata: { version: '1' }, transactions: [marker] }));
    const node = await network.node('upgraded', [...argv, `--rollup.upgrade-bundles=${folder}`]);
    await node.reached('unsafe_l2', 3);
    const inputs = async (block: number) => (await transactions(network, 'upgraded', block)).map(({ input }) => input);
    expect(await inputs(2)).toContain(marker.data);
    expect(await inputs(1)).not.toContain(marker.data);
    expect(await inputs(3)).not.toContain(marker.data);
  });
});
