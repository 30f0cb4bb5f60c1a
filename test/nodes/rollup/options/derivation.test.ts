import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { versionedHash } from '../../../../src/nodes/kzg/kzg.ts';
import { roleAccounts, rollupConfig } from '../../../../src/protocol/genesis/index.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { chainInputs, contracts, upTo } from '../../../protocol/genesis/inputs.ts';
import { eventually } from '../support/devnet.ts';
import type { RunningNode } from '../support/process.ts';
import { OptionNetwork } from './network.ts';
import { RecordingBeacon } from './recording-beacon.ts';
import { RecordingProxy } from './recording-proxy.ts';

const BUNDLES = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'bundles');
const SIDECARS = /blob_sidecars/;
/** The zero blob, whose commitment and proof are the point at infinity. */
const INFINITY = `0xc0${'00'.repeat(47)}` as Hex;

/**
 * Posts a blob without a frame, which every verifier must read, and returns its L1 block.
 * Without impersonation anvil verifies the blob, and loads the trusted setup for it: 6 s of processor time.
 */
async function postZeroBlob({ devnet }: OptionNetwork): Promise<number> {
  const { privateKey, address } = roleAccounts(devnet.inputs.chainId, contracts).batcher;
  await devnet.l1.call('anvil_impersonateAccount', [address]);
  const raw = await privateKeyToAccount(privateKey).signTransaction({
    type: 'eip4844',
    chainId: devnet.config.l1_chain_id,
    nonce: 0,
    to: devnet.config.batch_inbox_address,
    gas: 100_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 1n,
    maxFeePerBlobGas: 10n ** 9n,
    blobVersionedHashes: [versionedHash(hexToBytes(INFINITY))],
    sidecars: [{ blob: `0x${'00'.repeat(131_072)}`, commitment: INFINITY, proof: INFINITY }],
  });
  const hash = await devnet.l1.call<Hex>('eth_sendRawTransaction', [raw]);
  const { blockNumber } = await eventually(
    async () => (await devnet.l1.call<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash])) ?? undefined,
  );
  return Number(blockNumber);
}

describe('options of derivation from blobs: two nodes that differ in one', () => {
  let network: OptionNetwork;
  let l1: Record<'plain' | 'basic' | 'small' | 'whole', RecordingProxy>;
  let good: RecordingBeacon;
  let recording: RecordingBeacon;
  let empty: RecordingBeacon;
  let timeless: RecordingBeacon;
  let ending: ReturnType<OptionNetwork['nodes']['ending']>;
  /** The L1 block with the batcher's blob. */
  let carrier: number;
  const nodes = {} as Record<string, RunningNode>;
  beforeAll(async () => {
    network = await OptionNetwork.start({ ageSeconds: 15 });
    const { devnet } = network;
    carrier = await postZeroBlob(network);
    const proxy = async () => devnet.with(await RecordingProxy.to(devnet.l1Url));
    const beacon = async (lacks?: RegExp) => devnet.with(await RecordingBeacon.to(devnet.beaconUrl, lacks));
    l1 = { plain: await proxy(), basic: await proxy(), small: await proxy(), whole: await proxy() };
    [good, recording, empty, timeless] = [await beacon(), await beacon(), await beacon(SIDECARS), await beacon(/spec/)];
    const start = async (name: string, ...argv: string[]) => {
      nodes[name] = await network.node(name, ['--p2p.disable', '--l1.http-poll-interval=200ms', ...argv]);
    };
    const withL1 = (name: keyof typeof l1) => [`--l1=${l1[name].url}`, `--l1.beacon=${good.url}`];
    await Promise.all([
      start('plain', ...withL1('plain')),
      start('basic', ...withL1('basic'), '--l1.rpckind=basic'),
      start('small', ...withL1('small'), '--l1.cache-size=1'),
      start('whole', ...withL1('whole'), '--l1.cache-size=0'),
      start(
        'told',
        `--l1.beacon=${recording.url}`,
        '--l1.beacon-header=X-Key: secret',
        '--l1.beacon.fetch-all-sidecars',
      ),
      start('lacking', `--l1.beacon=${empty.url}`),
      start('falling', `--l1.beacon=${empty.url}`, `--l1.beacon-fallbacks=${timeless.url},${good.url}`),
      start('timeless', `--l1.beacon=${timeless.url}`),
      start('overriding', `--l1.beacon=${timeless.url}`, '--l1.beacon.slot-duration-override=1'),
      start('ignoring', '--l1.beacon=http://127.0.0.1:1', '--l1.beacon.ignore'),
    ]);
    const dead = ['--l1.beacon=http://127.0.0.1:1', '--l1.beacon.ignore=false', '--p2p.disable'];
    ending = network.nodes.ending('ending', [...(await network.argv('ending')), ...dead]);
  });
  afterAll(() => network[Symbol.asyncDispose]());

  const derives = (name: string) => nodes[name]!.reached('current_l1', carrier + 1);
  const pauses = async (name: string) => {
    const [line] = await eventually(async () => {
      const lines = nodes[name]!.logged('derivation pauses');
      return lines.length > 0 ? lines : undefined;
    });
    expect((await nodes[name]!.status())['current_l1']!.number).toBeLessThanOrEqual(carrier);
    return String(line!['error']);
  };

  it('--l1.beacon: blobs come from there', async () => {
    await derives('plain');
    expect(good.paths(SIDECARS).length).toBeGreaterThan(0);
    expect(await pauses('ignoring')).toContain('127.0.0.1:1');
  });

  it('--l1.beacon, --l1.beacon.ignore: one of them is required when a fork allows blobs', async () => {
    const file = network.file('calldata.json');
    const inputs = chainInputs({ schedule: upTo('delta') });
    writeFileSync(file, JSON.stringify(rollupConfig(inputs, network.devnet.config.genesis, contracts)));
    const bare = ['--p2p.disable', '--l1.beacon.ignore=false'];
    const calldata = [...bare, `--rollup.config=${file}`];
    const toCome = [...calldata, '--override.ecotone=4000000000', `--rollup.upgrade-bundles=${BUNDLES}`];
    for (const argv of [bare, toCome]) {
      const { code, text } = await network.nodes.ending('refused', argv);
      expect(code).toBe(2);
      expect(text).toMatch(/--l1\.beacon is missing[\s\S]*--l1\.beacon\.ignore starts without/);
    }
    const started = await network.nodes.start('calldata', calldata);
    await started[Symbol.asyncDispose]();
  });

  it('--l1.beacon-fallbacks: blobs that l1.beacon lacks come from the next that has them', async () => {
    await derives('falling');
    expect(empty.paths(SIDECARS).length).toBeGreaterThan(0);
    expect((await nodes['lacking']!.status())['current_l1']!.number).toBeLessThanOrEqual(carrier);
  });

  it('--l1.beacon-header: stands in every request to the beacon node', async () => {
    await derives('told');
    expect(recording.requests.map(({ headers }) => headers['x-key'])).toEqual(recording.requests.map(() => 'secret'));
    expect(good.requests.some(({ headers }) => 'x-key' in headers)).toBe(false);
  });

  it('--l1.beacon.fetch-all-sidecars: all blobs of a slot are requested', async () => {
    await derives('told');
    expect(recording.paths(SIDECARS).filter((path) => path.includes('indices'))).toEqual([]);
    expect(good.paths(SIDECARS).filter((path) => !path.includes('indices'))).toEqual([]);
  });

  it('--l1.beacon.slot-duration-override: the beacon node is not asked for its slot duration', async () => {
    await derives('overriding');
    expect(await pauses('timeless')).toContain('SECONDS_PER_SLOT');
  });

  it('--l1.beacon.ignore: a node starts although the beacon node does not answer', async () => {
    const { code, text } = await ending;
    expect(code).toBe(1);
    expect(text).toContain('--l1.beacon.ignore starts without it');
    expect(await nodes['ignoring']!.status()).toBeDefined();
  });

  it('--l1.rpckind: receipts are fetched by the methods of that kind', async () => {
    await derives('basic');
    expect([l1.basic.count('eth_getBlockReceipts'), l1.plain.count('eth_getTransactionReceipt')]).toEqual([0, 0]);
    expect(l1.basic.count('eth_getTransactionReceipt')).toBeGreaterThan(0);
    expect(l1.plain.count('eth_getBlockReceipts')).toBeGreaterThan(0);
  });

  it('--l1.cache-size: cached blocks are not requested again; 0: caches a sequencing window', async () => {
    const again = (proxy: RecordingProxy) => {
      const hashes = proxy.requests
        .filter(({ method }) => method === 'eth_getBlockByHash')
        .map(({ params }) => params[0]);
      return hashes.length - new Set(hashes).size;
    };
    for (const name of ['plain', 'small', 'whole'] as const) {
      await derives(name);
      await nodes[name]!.call('admin_resetDerivationPipeline');
    }
    await eventually(async () => again(l1.small) > 3 || undefined);
    for (const name of ['plain', 'whole'] as const) {
      await derives(name);
      expect(again(l1[name]), name).toBe(0);
    }
  });
});
