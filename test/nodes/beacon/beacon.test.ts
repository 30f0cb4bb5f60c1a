import { afterEach, describe, expect, it } from 'vitest';
import type { BeaconConfig } from '../../../src/nodes/beacon/beacon.ts';
import { type RunningBeacon, startBeacon } from '../../../src/nodes/beacon/service.ts';
import { makeSidecar } from '../../../src/nodes/txmgr/blob-sidecar.ts';
import { l1Backend } from '../../../src/nodes/txmgr/l1-backend.ts';
import { dataGas, signTransaction } from '../../../src/nodes/txmgr/transaction.ts';
import { encodeBlob } from '../../../src/protocol/codec/blob.ts';
import { hexToBytes, quantity } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { Failure } from '../../../src/system/failure.ts';
import { type ManualClock, manualClock, memoryLog, until } from '../batcher/helpers.ts';
import { ACCOUNTS, CHAIN_ID, GENESIS_TIME, startAnvil, type TestAnvil, temporaryFolder } from './anvil.ts';
import { beaconConfig, SLOT } from './beacon-on-anvil.ts';
import { CELL_PROOF_TRANSACTION } from './cell-proofs.ts';

const INBOX = '0xff00000000000000000000000000000000000901';
const FEES = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n, maxFeePerBlobGas: 10n ** 10n };

interface RpcBlock {
  readonly hash: Hex;
  readonly number: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly Hex[];
}

/** A beacon on an anvil, on a clock that the test moves. */
class Setup {
  readonly clock: ManualClock = manualClock(GENESIS_TIME);
  readonly folder = temporaryFolder();
  readonly lines: string[] = [];
  readonly anvils: TestAnvil[] = [];
  readonly beacons: RunningBeacon[] = [];

  async anvil(port = 0, trustsBlobs = false): Promise<TestAnvil> {
    const anvil = await startAnvil({ port, trustsBlobs });
    this.anvils.push(anvil);
    return anvil;
  }

  async beacon(anvil: { readonly url: string }, config: Partial<BeaconConfig> = {}): Promise<RunningBeacon> {
    const { log } = memoryLog(this.lines);
    const whole = beaconConfig({ l1: anvil.url, datadir: this.folder, ...config });
    const beacon = await startBeacon(whole, this.clock, log);
    beacon.failed.catch(() => {});
    this.beacons.push(beacon);
    return beacon;
  }

  /** Moves the clock to a slot and waits for its block. */
  async reach(beacon: RunningBeacon, slot: number): Promise<void> {
    this.clock.moveTo(GENESIS_TIME + slot * SLOT);
    await until(`slot ${slot}`, async () => (await syncing(beacon)).head_slot === String(slot));
  }

  async close(): Promise<void> {
    for (const beacon of this.beacons) await beacon.stop();
    for (const anvil of this.anvils) await anvil.kill();
  }
}

async function get(beacon: RunningBeacon, path: string) {
  const response = await fetch(`http://127.0.0.1:${beacon.port}${path}`);
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function syncing(beacon: RunningBeacon) {
  const { body } = await get(beacon, '/eth/v1/node/syncing');
  return body.data as { head_slot: string; is_syncing: boolean; el_offline: boolean };
}

const blockAt = (anvil: TestAnvil, number: number | 'latest') =>
  anvil.rpc.call<RpcBlock>('eth_getBlockByNumber', [number === 'latest' ? number : quantity(number), false]);

async function sendBlobs(anvil: TestAnvil, texts: readonly string[]): Promise<{ hashes: readonly Hex[] }> {
  const blobs = texts.map((text) => encodeBlob(new TextEncoder().encode(text)));
  const sidecar = await makeSidecar(blobs);
  const [account] = ACCOUNTS;
  const l1 = l1Backend(anvil.rpc);
  const nonce = await l1.nonce(account!.address);
  const data = new Uint8Array(0);
  const unsigned = { chainId: CHAIN_ID, nonce, gas: dataGas(data), to: INBOX, data, fees: FEES, sidecar } as const;
  await l1.send(signTransaction(account!, unsigned).raw);
  return { hashes: sidecar.versionedHashes };
}

async function sendCall(anvil: TestAnvil, from: number, data: Hex): Promise<void> {
  const account = ACCOUNTS[from]!;
  const l1 = l1Backend(anvil.rpc);
  const nonce = await l1.nonce(account.address);
  const bytes = hexToBytes(data);
  const unsigned = { chainId: CHAIN_ID, nonce, gas: dataGas(bytes), to: INBOX, data: bytes, fees: FEES } as const;
  await l1.send(signTransaction(account, unsigned).raw);
}

describe('l1-beacon', () => {
  let setup: Setup;
  afterEach(() => setup.close());

  it('makes one block per slot at the slot time, the first one at slot 1', async () => {
    setup = new Setup();
    const anvil = await setup.anvil();
    const beacon = await setup.beacon(anvil);
    await until('L1 is found', async () => !(await syncing(beacon)).el_offline);
    expect(Number((await blockAt(anvil, 'latest')).number)).toBe(0);
    await setup.reach(beacon, 1);
    await setup.reach(beacon, 2);
    setup.clock.moveTo(GENESIS_TIME + 3 * SLOT - 0.001);
    expect(Number((await blockAt(anvil, 'latest')).number)).toBe(2);
    await setup.reach(beacon, 3);
    const times = await Promise.all([1, 2, 3].map(async (number) => Number((await blockAt(anvil, number)).timestamp)));
    expect(times).toEqual([1, 2, 3].map((slot) => GENESIS_TIME + slot * SLOT));
  });

  it('makes blocks for the last missed slots and leaves older slots empty', async () => {
    setup = new Setup();
    const anvil = await setup.anvil();
    const beacon = await setup.beacon(anvil, { maxCatchUp: 3 });
    await setup.reach(beacon, 1);
    await setup.reach(beacon, 100);
    const blocks = await Promise.all([2, 3, 4].map((number) => blockAt(anvil, number)));
    expect(blocks.map(({ timestamp }) => (Number(timestamp) - GENESIS_TIME) / SLOT)).toEqual([98, 99, 100]);
    expect((await get(beacon, '/eth/v1/beacon/blobs/50')).status).toBe(404);
    expect((await get(beacon, '/eth/v1/beacon/blobs/99')).body.data).toEqual([]);
  });

  it('rebuilds the chain of a killed anvil to the same hashes', async () => {
    setup = new Setup();
    const anvil = await setup.anvil(0, true);
    const beacon = await setup.beacon(anvil);
    await setup.reach(beacon, 1);
    await sendCall(anvil, 0, '0x01');
    await sendCall(anvil, 1, '0x0203');
    await anvil.rpc.call('anvil_impersonateAccount', [INBOX]);
    await anvil.rpc.call('eth_sendTransaction', [
      { from: ACCOUNTS[0]!.address, to: INBOX, value: '0xde0b6b3a7640000', gas: '0x5208' },
    ]);
    await setup.reach(beacon, 2);
    await anvil.rpc.call('eth_sendTransaction', [
      { from: INBOX, to: ACCOUNTS[1]!.address, value: '0x1', gas: '0x5208' },
    ]);
    await anvil.rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca07']);
    await setup.reach(beacon, 3);
    const { hashes } = await sendBlobs(anvil, ['kept']);
    await anvil.rpc.call('eth_sendRawTransaction', [CELL_PROOF_TRANSACTION]);
    await setup.reach(beacon, 4);
    const before = await Promise.all([1, 2, 3, 4].map((number) => blockAt(anvil, number)));
    expect(before.map(({ transactions }) => transactions.length)).toEqual([0, 3, 1, 2]);

    await anvil.kill();
    const again = await setup.anvil(anvil.port, true);
    await setup.reach(beacon, 5);
    const after = await Promise.all([1, 2, 3, 4].map((number) => blockAt(again, number)));
    expect(after.map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
    const receipt = await again.rpc.call<{ status: Hex }>('eth_getTransactionReceipt', [before[3]!.transactions[0]]);
    expect(receipt.status).toBe('0x1');

    // Starts a new beacon on the same folder, and a new anvil.
    await beacon.stop();
    await again.kill();
    const third = await setup.anvil(0, true);
    const restarted = await setup.beacon(third);
    await setup.reach(restarted, 6);
    expect((await blockAt(third, 4)).hash).toBe(before[3]!.hash);
    expect(setup.lines.filter((line) => line.includes('came out different'))).toEqual([]);
    const blobs = await get(restarted, `/eth/v1/beacon/blobs/4?versioned_hashes=${hashes[0]}`);
    expect(blobs.body.data).toHaveLength(1);
    expect((await get(restarted, '/eth/v1/beacon/blobs/4')).body.data).toHaveLength(3);
  });

  it('rebuilds the same chain while foreign transactions arrive, and includes these after it', async () => {
    setup = new Setup();
    const anvil = await setup.anvil();
    const beacon = await setup.beacon(anvil);
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const slot of numbers) {
      await sendCall(anvil, 0, '0x01');
      await setup.reach(beacon, slot);
    }
    const before = await Promise.all(numbers.map((number) => blockAt(anvil, number)));
    await anvil.kill();
    const again = await setup.anvil(anvil.port);
    // A batcher reads an outdated nonce; the other account is unrelated.
    let isOver = false;
    const disturb = async (from: number) => {
      while (!isOver) {
        await sendCall(again, from, '0xff').catch(() => undefined);
        await new Promise((wait) => setTimeout(wait, 20));
      }
    };
    const others = [disturb(0), disturb(1)];
    await setup.reach(beacon, 21);
    isOver = true;
    await Promise.all(others);
    const after = await Promise.all(numbers.map((number) => blockAt(again, number)));
    expect(after.map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
    expect(setup.lines.filter((line) => line.includes('came out different'))).toEqual([]);
    await setup.reach(beacon, 22);
    expect(await l1Backend(again.rpc).nonce(ACCOUNTS[1]!.address)).toBeGreaterThan(0);
  });

  it('reports the block at which a replay differs, and continues from there', async () => {
    setup = new Setup();
    const anvil = await setup.anvil();
    const beacon = await setup.beacon(anvil);
    await setup.reach(beacon, 1);
    await anvil.rpc.call('anvil_setBalance', [INBOX, '0x64']);
    await setup.reach(beacon, 2);
    await setup.reach(beacon, 3);
    const old = await blockAt(anvil, 2);
    await anvil.kill();
    const again = await setup.anvil(anvil.port);
    await setup.reach(beacon, 4);
    expect((await blockAt(again, 2)).hash).not.toBe(old.hash);
    expect(Number((await blockAt(again, 'latest')).number)).toBe(4);
    const warnings = setup.lines.filter((line) => line.includes('came out different'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(old.hash);
    expect(warnings[0]).toContain('number=2');
  });

  it('takes over blocks that another process mined or rolled back', async () => {
    setup = new Setup();
    const anvil = await setup.anvil();
    const beacon = await setup.beacon(anvil);
    for (const slot of [1, 2, 3]) await setup.reach(beacon, slot);
    await anvil.rpc.call('anvil_rollback', [2]);
    await setup.reach(beacon, 4);
    expect(Number((await blockAt(anvil, 'latest')).number)).toBe(2);
    expect((await get(beacon, '/eth/v1/beacon/blobs/2')).status).toBe(404);
    await anvil.rpc.call('evm_mine', [{ timestamp: GENESIS_TIME + 4 * SLOT + 1 }]);
    await setup.reach(beacon, 5);
    expect(Number((await blockAt(anvil, 'latest')).number)).toBe(4);
  });

  it('follows blocks without making any when L1 mines by itself', async () => {
    setup = new Setup();
    const anvil = await setup.anvil();
    const beacon = await setup.beacon(anvil, { mine: false });
    await anvil.rpc.call('evm_mine', [{ timestamp: GENESIS_TIME + SLOT }]);
    await until('slot 1', async () => (await syncing(beacon)).head_slot === '1');
    setup.clock.moveTo(GENESIS_TIME + 10 * SLOT);
    expect(Number((await blockAt(anvil, 'latest')).number)).toBe(1);
  });

  it('answers as a beacon node, also before L1 is up, and names invalid requests', async () => {
    setup = new Setup();
    const nobody = { url: 'http://127.0.0.1:1' };
    const beacon = await setup.beacon(nobody);
    const table = [
      ['/eth/v1/beacon/genesis', 200, { genesis_time: String(GENESIS_TIME) }],
      ['/eth/v1/config/spec', 200, { SECONDS_PER_SLOT: '2', DEPOSIT_CHAIN_ID: '900' }],
      ['/eth/v1/node/version', 200, { version: 'l1-beacon/test' }],
      ['/eth/v1/node/syncing', 200, { is_syncing: true, el_offline: true }],
    ] as const;
    for (const [path, status, data] of table) {
      const answer = await get(beacon, path);
      expect(answer.status).toBe(status);
      expect(answer.body.data).toMatchObject(data);
    }
    expect((await get(beacon, '/eth/v1/node/health')).status).toBe(503);
    expect(await get(beacon, '/eth/v1/beacon/blobs/1')).toMatchObject({ status: 503, body: { code: 503 } });
    expect(await get(beacon, '/eth/v1/nothing')).toMatchObject({ status: 404, body: { code: 404 } });

    const anvil = await setup.anvil();
    const ready = await setup.beacon(anvil, { datadir: temporaryFolder() });
    await until('L1 is found', async () => !(await syncing(ready)).el_offline);
    expect((await get(ready, '/eth/v1/node/health')).status).toBe(200);
    expect((await get(ready, '/eth/v1/beacon/blobs/zero')).body.message).toContain('expected a slot');
    expect((await get(ready, '/eth/v1/beacon/blobs/0?versioned_hashes=0x12')).status).toBe(400);
    expect((await get(ready, '/eth/v1/beacon/blob_sidecars/0?indices=x')).status).toBe(400);
    expect((await get(ready, '/eth/v1/beacon/blobs/7')).status).toBe(404);
    const header = (await get(ready, '/eth/v1/beacon/headers/genesis')).body.data;
    expect(header.header.message).toMatchObject({ slot: '0', proposer_index: '0' });
  });

  it('refuses an L1 of another chain', async () => {
    setup = new Setup();
    const anvil = await setup.anvil();
    const wrong: readonly Partial<BeaconConfig>[] = [
      { chainId: 1 },
      { genesisTime: GENESIS_TIME + 1 },
      { genesisHash: `0x${'11'.repeat(32)}` },
    ];
    for (const config of wrong) {
      const beacon = await setup.beacon(anvil, { ...config, datadir: temporaryFolder() });
      await expect(beacon.failed).rejects.toMatchObject({ code: 'l1-stranger', exit: 1 });
    }
  });

  it('fails with exit code 4 when its port is in use', async () => {
    setup = new Setup();
    const beacon = await setup.beacon({ url: 'http://127.0.0.1:1' });
    const second = setup.beacon({ url: 'http://127.0.0.1:1' }, { port: beacon.port, datadir: temporaryFolder() });
    await expect(second).rejects.toSatisfy((error) => error instanceof Failure && error.exit === 4);
  });
});
