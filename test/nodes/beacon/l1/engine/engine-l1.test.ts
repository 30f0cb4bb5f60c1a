import { afterEach, describe, expect, it } from 'vitest';
import { forksOf } from '../../../../../src/nodes/beacon/chain/l1-forks.ts';
import { type RunningBeacon, startBeacon } from '../../../../../src/nodes/beacon/service.ts';
import { decodeBlob, encodeBlob } from '../../../../../src/protocol/codec/blob.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { httpClient } from '../../../../../src/rpc/client/http-client.ts';
import type { L1Answer, L1Request } from '../../../../../src/system/channel/l1-requests.ts';
import { manualClock, memoryLog, until } from '../../../batcher/helpers.ts';
import { GENESIS_TIME } from '../../../execution/support/genesis.ts';
import { L1_CHAIN_ID, L1_GENESIS, L1_SLOT, OSAKA_SLOT, withBlobs } from '../../../execution/support/l1-genesis.ts';
import { JWT, launch, type TestNode } from '../../../execution/support/nodes.ts';
import { temporaryFolder } from '../../anvil.ts';
import { beaconConfig } from '../../beacon-on-anvil.ts';

interface RpcBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly Hex[];
}

const textsOf = (blobs: readonly Hex[]) => blobs.map((blob) => new TextDecoder().decode(decodeBlob(hexToBytes(blob))));

/** L1 on an execution client in the process of the test, and its beacon node on a manual clock. */
class Setup {
  readonly clock = manualClock(GENESIS_TIME);
  readonly lines: string[] = [];
  datadir = temporaryFolder();
  readonly chain = temporaryFolder();
  ask: (request: L1Request) => Promise<L1Answer> = () => Promise.reject(new Error('not set'));
  node!: TestNode;
  beacon!: RunningBeacon;

  async start(): Promise<void> {
    this.node = await launch(L1_GENESIS, { flavour: 'go', datadir: this.chain, keep: true });
    await this.startBeacon();
  }

  async startBeacon(): Promise<void> {
    const { node, clock, datadir, lines } = this;
    const forks = forksOf(JSON.parse(L1_GENESIS).config);
    const engine = { engine: node.engineUrl, jwtSecret: JWT, slotsInAnEpoch: 1 };
    const place = { l1: node.url, chainId: L1_CHAIN_ID, datadir, secondsPerSlot: L1_SLOT };
    this.beacon = await startBeacon(
      beaconConfig({ ...place, forks, engine, genesisTime: GENESIS_TIME, gatePort: 0 }),
      { ...clock, onL1: (next) => (this.ask = next) },
      memoryLog(lines).log,
    );
    this.beacon.failed.catch(() => {});
  }

  async stop(): Promise<void> {
    await this.beacon.stop();
    await this.node[Symbol.asyncDispose]();
  }

  async get(path: string) {
    const response = await fetch(`http://127.0.0.1:${this.beacon.port}/eth/v1/${path}`);
    return JSON.parse(await response.text());
  }

  /** Moves the clock to a slot and waits for its block. */
  async reach(slot: number): Promise<RpcBlock> {
    this.clock.moveTo(GENESIS_TIME + slot * L1_SLOT);
    await until(`slot ${slot}`, async () => (await this.get('node/syncing')).data.head_slot === String(slot));
    return this.block('latest');
  }

  block(name: string): Promise<RpcBlock> {
    return this.node.rpc.call<RpcBlock>('eth_getBlockByNumber', [name, false]);
  }

  send(network: Uint8Array): Promise<Hex> {
    return this.node.rpc.call<Hex>('eth_sendRawTransaction', [bytesToHex(network)]);
  }
}

describe('l1-beacon on an execution client', () => {
  let setup: Setup;
  afterEach(() => setup.stop());

  it('makes a block per slot, and names the safe and the final one below it', async () => {
    setup = new Setup();
    await setup.start();
    await setup.reach(3);
    const numbers = await Promise.all(['latest', 'safe', 'finalized'].map((name) => setup.block(name)));
    expect(numbers.map(({ number }) => Number(number))).toEqual([3, 2, 1]);
    expect(Number(numbers[0]!.timestamp)).toBe(GENESIS_TIME + 3 * L1_SLOT);
    const gate = httpClient({ url: `http://127.0.0.1:${setup.beacon.gatePort}` });
    expect(await gate.call('eth_blockNumber')).toBe('0x3');
    for (const method of ['anvil_setBalance', 'anvil_impersonateAccount', 'anvil_reorg', 'eth_sendTransaction'])
      await expect(gate.call(method, [])).rejects.toThrow('use `l1: { client: anvil }`');
    gate.close();
  }, 120_000);

  it('serves the blobs of both forms over the fork between them', async () => {
    setup = new Setup();
    await setup.start();
    const first = await setup.send(await withBlobs(0, 0, 'one', 'two'));
    expect((await setup.reach(1)).transactions).toEqual([first]);
    await setup.reach(OSAKA_SLOT - 1);
    const second = await setup.send(await withBlobs(0, 1, 'three'));
    expect((await setup.reach(OSAKA_SLOT)).transactions).toEqual([second]);
    expect(textsOf((await setup.get('beacon/blobs/1')).data)).toEqual(['one', 'two']);
    expect(textsOf((await setup.get(`beacon/blobs/${OSAKA_SLOT}`)).data)).toEqual(['three']);
    const versions = await Promise.all([1, OSAKA_SLOT].map((slot) => setup.get(`beacon/blob_sidecars/${slot}`)));
    expect(versions.map(({ version }) => version)).toEqual(['electra', 'fulu']);
    const spec = (await setup.get('config/spec')).data;
    expect([spec.ELECTRA_FORK_EPOCH, spec.FULU_FORK_EPOCH]).toEqual(['0', String(OSAKA_SLOT)]);
    // A beacon node without its journal takes the chain over. The blobs are where they were.
    await setup.beacon.stop();
    setup.datadir = temporaryFolder();
    await setup.startBeacon();
    const { hash } = await setup.reach(OSAKA_SLOT + 1);
    expect(hash).toBe((await setup.block('latest')).hash);
  }, 300_000);

  it('replaces blocks by others with the transactions of the old ones', async () => {
    setup = new Setup();
    await setup.start();
    await setup.reach(1);
    const hash = await setup.send(await withBlobs(0, 0, 'one'));
    const old = await setup.reach(2);
    const request = { do: 'reorg', depth: 1, drop: [] } as const;
    const answer = await setup.ask(request);
    const now = await setup.block('latest');
    expect(answer).toEqual({
      kind: 'reorganised',
      common: { number: 1, hash: old.parentHash },
      from: { number: 2, hash: old.hash },
      to: { number: 2, hash: now.hash },
      sent: 1,
      refused: 0,
    });
    expect([now.hash === old.hash, now.timestamp, now.transactions]).toEqual([false, old.timestamp, [hash]]);
    expect(textsOf((await setup.get('beacon/blobs/2')).data)).toEqual(['one']);
    expect(await setup.ask({ ...request, depth: 3 })).toMatchObject({ kind: 'refused', why: { kind: 'depth' } });
    await expect(setup.ask({ ...request, drop: [hash] })).rejects.toThrow('use `client: anvil`');
    const hold = { do: 'pool', fault: { id: 'a', action: 'hold', from: '0x' } } as const;
    await expect(setup.ask(hold)).rejects.toThrow('use `client: anvil`');
    expect(await setup.ask({ ...request, depth: 2 })).toMatchObject({ kind: 'reorganised', to: { number: 2 } });
    await setup.reach(4);
    expect(await setup.ask({ ...request, depth: 3 })).toMatchObject({
      kind: 'refused',
      why: { kind: 'final', final: 2 },
    });
  }, 120_000);

  it('goes on after a restart of the client, and gives it lost blocks again', async () => {
    setup = new Setup();
    await setup.start();
    await setup.send(await withBlobs(0, 0, 'one'));
    await setup.reach(1);
    const { hash } = await setup.reach(2);
    await setup.stop();
    // The client has lost its whole chain, the beacon node has kept its journal.
    Object.assign(setup, { chain: temporaryFolder() });
    await setup.start();
    const next = await setup.reach(3);
    expect(next.parentHash).toBe(hash);
    expect(encodeBlob(new TextEncoder().encode('one')).length).toBe(131_072);
    expect(textsOf((await setup.get('beacon/blobs/1')).data)).toEqual(['one']);
  }, 120_000);
});
