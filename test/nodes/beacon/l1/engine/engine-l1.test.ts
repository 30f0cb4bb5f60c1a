import { afterEach, describe, expect, it } from 'vitest';
import { decodeBlob, encodeBlob } from '../../../../../src/protocol/codec/blob.ts';
import { hexToBytes } from '../../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { GENESIS_TIME } from '../../../execution/support/genesis.ts';
import { L1_SLOT, OSAKA_SLOT, withBlobs } from '../../../execution/support/l1-genesis.ts';
import { temporaryFolder } from '../../anvil.ts';
import { Setup } from './setup.ts';

const textsOf = (blobs: readonly Hex[]) => blobs.map((blob) => new TextDecoder().decode(decodeBlob(hexToBytes(blob))));

/** Returns the hash of the block before the one in which it runs: BLOCKHASH(NUMBER - 1). */
const HASH_OF_PARENT = '0x600143034060005260206000f3';

/** Methods of anvil that an L1 of ours refuses with the way that works. */
const OF_ANVIL = [
  ...['anvil_setBalance', 'anvil_impersonateAccount', 'anvil_loadState', 'hardhat_setCode', 'anvil_setStorageAt'],
  ...['anvil_nodeInfo', 'hardhat_metadata', 'anvil_getAutomine', 'anvil_setLoggingEnabled', 'anvil_setRpcUrl'],
  ...['anvil_removePoolTransactions', 'anvil_getBlobsByTransactionHash', 'eth_sign', 'personal_sign'],
  ...['eth_signTransaction', 'eth_signTypedData_v4', 'eth_sendUnsignedTransaction', 'anvil_impersonateSignature'],
];

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
    const { gate } = setup;
    expect(await gate.call('eth_blockNumber')).toBe('0x3');
    for (const method of OF_ANVIL) await expect(gate.call(method, [])).rejects.toThrow('use `l1: { client: anvil }`');
  }, 120_000);

  it('runs a call at pending in the block after the head, as proposers estimate theirs', async () => {
    setup = new Setup();
    await setup.start();
    await setup.reach(3);
    const [before, head] = await Promise.all(['0x2', 'latest'].map((at) => setup.block(at)));
    const call = (at: string) => setup.gate.call('eth_call', [{ data: HASH_OF_PARENT }, at]);
    expect(await call('latest')).toBe(before!.hash);
    expect(await call('pending')).toBe(head!.hash);
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
    const absent = { kind: 'refused', why: { kind: 'transaction', hash: old.hash } };
    expect(await setup.ask({ ...request, drop: [old.hash] })).toEqual(absent);
    expect(await setup.ask({ ...request, depth: 2 })).toMatchObject({ kind: 'reorganised', to: { number: 2 } });
    await setup.reach(4);
    expect(await setup.ask({ ...request, depth: 3 })).toMatchObject({
      kind: 'refused',
      why: { kind: 'final', final: 2 },
    });
  }, 120_000);

  it.each([
    ['replaces', async ({ ask }: Setup) => void (await ask({ do: 'reorg', depth: 2, drop: [] }))],
    [
      'drops and replaces',
      async ({ ask }: Setup, last: Hex) => void (await ask({ do: 'reorg', depth: 2, drop: [last] })),
    ],
    ['takes back', async ({ gate }: Setup) => void (await gate.call('anvil_rollback', ['0x2']))],
  ])(
    '%s a block with blobs after a restart of the client, which has forgotten them',
    async (_, change) => {
      setup = new Setup();
      await setup.start();
      const hash = await setup.send(await withBlobs(0, 0, 'one'));
      const last = await setup.send(await withBlobs(1, 0, 'two'));
      await setup.reach(1);
      await setup.stop();
      await setup.start();
      await setup.reach(2);
      await change(setup, last);
      await setup.reach(3);
      const blocks = await Promise.all(['0x1', '0x2', '0x3'].map((number) => setup.block(number)));
      expect(blocks.flatMap(({ transactions }) => transactions)).toContain(hash);
    },
    120_000,
  );

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
