import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { l1Backend } from '../../../src/nodes/txmgr/l1-backend.ts';
import { TXMGR_OPTIONS, txManagerOptions } from '../../../src/nodes/txmgr/program/options.ts';
import type { BlobSidecar } from '../../../src/nodes/txmgr/transaction.ts';
import { type TxManager, txManager } from '../../../src/nodes/txmgr/txmgr.ts';
import { emptyBlobs } from '../../../src/orchestrator/traffic/load/kinds.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { parseOptions } from '../../../src/system/program/options.ts';
import { memoryLog, until } from '../batcher/helpers.ts';
import { ACCOUNTS, startAnvil, type TestAnvil } from '../beacon/anvil.ts';

const TO: Hex = `0x${'0b'.repeat(20)}`;
const LINE = { name: 'sender', version: 'test', summary: '', envPrefixes: [] };
const ACCOUNT = ACCOUNTS[0]!;

/** A blob of zeros. */
function sidecar(): BlobSidecar {
  const { sidecars, blobVersionedHashes } = emptyBlobs(1);
  const bytes = (key: 'blob' | 'commitment' | 'proof') => sidecars.map((each) => hexToBytes(each[key]));
  return {
    blobs: bytes('blob'),
    commitments: bytes('commitment'),
    proofs: bytes('proof'),
    versionedHashes: blobVersionedHashes,
  };
}

describe('the transaction manager after a reorganisation of L1', () => {
  let anvil: TestAnvil;
  let stopping: AbortController;
  const lines: string[] = [];
  beforeEach(async () => {
    lines.length = 0;
    stopping = new AbortController();
    anvil = await startAnvil({ trustsBlobs: true });
  });
  afterEach(async () => {
    stopping.abort();
    await anvil.kill();
  });

  function manager(): TxManager {
    const { values } = parseOptions(LINE, TXMGR_OPTIONS, [], {});
    const options = txManagerOptions({ ...values, receiptQueryInterval: 20 });
    return txManager(l1Backend(anvil.rpc), ACCOUNT, options, memoryLog(lines).log);
  }
  const candidate = (byte: number, blobs = false) => ({
    to: TO,
    data: Uint8Array.of(byte),
    what: `candidate ${byte}`,
    ...(blobs ? { sidecar: sidecar() } : {}),
  });
  const mine = () => anvil.rpc.call('evm_mine');
  const nonce = async () => Number(await anvil.rpc.call<Hex>('eth_getTransactionCount', [ACCOUNT.address, 'latest']));
  const waiting = async () => {
    type Pool = Record<string, Record<string, { nonce: Hex }>>;
    const { pending, queued } = await anvil.rpc.call<{ pending: Pool; queued: Pool }>('txpool_content');
    return [pending, queued].flatMap((part) => Object.values(part).flatMap((entries) => Object.values(entries))).length;
  };
  /** Sends a candidate and mines the block that includes it. */
  async function include(from: TxManager, byte: number, blobs = false): Promise<void> {
    const sent = from.send(candidate(byte, blobs), stopping.signal);
    await until('it is in the pool', async () => (await waiting()) > 0);
    await mine();
    expect(await sent).toMatchObject({ success: true });
  }
  /** Mines until these are included. */
  async function mined(sent: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
    let done = false;
    const all = Promise.all(sent).finally(() => {
      done = true;
    });
    await until('all are included', async () => {
      await mine();
      return done;
    });
    return all;
  }
  /** Inputs of the account's transactions on L1, in their order. */
  async function inputs(): Promise<readonly Hex[]> {
    const head = Number(await anvil.rpc.call<Hex>('eth_blockNumber'));
    const inputs: Hex[] = [];
    for (let number = 0; number <= head; number++) {
      const block = await anvil.rpc.call<{ transactions: { input: Hex; from: Hex }[] }>('eth_getBlockByNumber', [
        `0x${number.toString(16)}`,
        true,
      ]);
      inputs.push(...block.transactions.map(({ input }) => input));
    }
    return inputs;
  }

  it.each([
    [2, 'calldata'],
    [3, 'calldata'],
    [4, 'calldata'],
    [3, 'blobs'],
  ] as const)('resends the transactions of %i removed blocks that a pending one needs (%s)', async (depth, da) => {
    const current = manager();
    for (let byte = 1; byte <= 5; byte++) await include(current, byte, da === 'blobs');
    const sent = [6, 7].map((byte) => current.send(candidate(byte, da === 'blobs'), stopping.signal));
    await until('both wait', async () => (await waiting()) === 2);
    await anvil.rpc.call('anvil_reorg', [depth, []]);
    expect(await nonce()).toBe(5 - depth);
    expect(await mined(sent)).toMatchObject([{ success: true }, { success: true }]);
    expect(await inputs()).toEqual(['0x01', '0x02', '0x03', '0x04', '0x05', '0x06', '0x07']);
  });

  it('sends a pending transaction at a lower nonce when those below it are not its own', async () => {
    const before = manager();
    for (let byte = 1; byte <= 3; byte++) await include(before, byte);
    const current = manager();
    const sent = [4, 5].map((byte) => current.send(candidate(byte), stopping.signal));
    await until('both wait', async () => (await waiting()) === 2);
    await anvil.rpc.call('anvil_reorg', [2, []]);
    expect(await mined(sent)).toMatchObject([{ success: true }, { success: true }]);
    // The account sends on.
    expect(await mined([current.send(candidate(6), stopping.signal)])).toMatchObject([{ success: true }]);
    expect(await inputs()).toEqual(expect.arrayContaining(['0x01', '0x04', '0x05', '0x06']));
  });

  it('sends the next transaction at the nonce of the chain when none is pending', async () => {
    const current = manager();
    for (let byte = 1; byte <= 4; byte++) await include(current, byte);
    await anvil.rpc.call('anvil_reorg', [3, []]);
    expect(await mined([5, 6, 7, 8].map((byte) => current.send(candidate(byte), stopping.signal)))).toHaveLength(4);
    expect(await inputs()).toEqual(['0x01', '0x05', '0x06', '0x07', '0x08']);
  });
});
