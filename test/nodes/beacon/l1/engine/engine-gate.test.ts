import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountOf } from '../../../../../src/nodes/txmgr/account.ts';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { INBOX, SENDERS, withBlobs } from '../../../execution/support/l1-genesis.ts';
import { Setup } from './setup.ts';

const [ONE, OTHER] = SENDERS.map(({ address }) => address) as [Hex, Hex];
const STRANGER = accountOf(new Uint8Array(32).fill(3)).address;

/** Asks which faults there are. */
const ALL = { do: 'keep-pool', ids: ['a'] } as const;

let setup: Setup;
let slot: number;
beforeEach(async () => {
  setup = new Setup();
  await setup.start();
  slot = 0;
});
afterEach(() => setup.stop());

const ask = <T>(method: string, ...params: unknown[]) => setup.gate.call<T>(method, params);
const send = (more: object = {}) => ask<Hex>('eth_sendTransaction', { from: ONE, to: OTHER, value: '0x1', ...more });
/** Makes the next block, and returns the hashes of its transactions. */
const mine = async () => {
  const { transactions } = await setup.reach(++slot);
  // The pool is as after a block when the beacon answers again.
  await setup.ask(ALL);
  return transactions;
};
const nonceOf = async (address: Hex) => Number(await ask('eth_getTransactionCount', address, 'latest'));

describe('the gate before an execution client', () => {
  it('signs for the funded accounts, each type of transaction, and for no others', async () => {
    expect(await ask('eth_accounts')).toEqual([ONE]);
    const sent = await Promise.all([
      send(),
      send({ gasPrice: '0x77359400' }),
      send({ accessList: [{ address: OTHER, storageKeys: [] }] }),
      send({ gasPrice: '0x77359400', accessList: [] }),
      send({ to: null, value: null, data: '0x6001600055' }),
    ]);
    expect([...(await mine())].sort()).toEqual([...sent].sort());
    const types = sent.map(async (hash) => (await ask<{ type: Hex }>('eth_getTransactionByHash', hash)).type);
    expect(await Promise.all(types)).toEqual(['0x2', '0x0', '0x2', '0x1', '0x2']);
    expect(await ask('eth_getStorageAt', (await receiptOf(sent[4]!)).contractAddress, '0x0', 'latest')).toMatch(/01$/);
    await expect(send({ from: STRANGER })).rejects.toThrow('accounts of eth_accounts alone');
    await expect(send({ chainId: '0x1' })).rejects.toThrow('chain id of L1 is 900');
    await expect(send({ blobVersionedHashes: [] })).rejects.toThrow('eth_sendRawTransaction');
    await expect(send({ value: 'much' })).rejects.toThrow();
  }, 120_000);

  it('takes blocks back, and makes others with the transactions that it is given', async () => {
    const first = await send();
    expect(await mine()).toEqual([first]);
    await mine();
    const before = await setup.block('latest');
    await ask('anvil_rollback', 2);
    expect(await nonceOf(ONE)).toBe(0);
    // The slots that are empty now get blocks again, and the client has pooled what it took back.
    expect(await mine()).toEqual([]);
    expect(await nonceOf(ONE)).toBe(1);
    const head = await setup.block('latest');
    await ask('anvil_reorg', 2, [[{ from: ONE, to: STRANGER, value: '0x5' }, 1]]);
    const now = await setup.block('latest');
    expect([now.number, now.timestamp, now.hash === head.hash]).toEqual([head.number, head.timestamp, false]);
    expect(now.transactions).toHaveLength(1);
    expect(await ask('eth_getBalance', STRANGER, 'latest')).toBe('0x5');
    expect(now.hash).not.toBe(before.hash);
    await expect(ask('anvil_reorg', { depth: 9, tx_block_pairs: [] })).rejects.toThrow('blocks above its genesis');
    await expect(ask('anvil_rollback', 0)).rejects.toThrow('at least one block');
    await expect(ask('anvil_reorg', 1, [['0x', 1]])).rejects.toThrow('for block 1 of 1');
    expect((await setup.reach(++slot)).parentHash).toBe(now.hash);
  }, 120_000);

  it('drops, replaces and holds transactions of the pool', async () => {
    await setup.ask({ do: 'pool', fault: { id: 'a', action: 'drop', from: ONE } });
    const dropped = await send();
    expect(await mine()).toEqual([]);
    expect(await ask('eth_getTransactionByHash', dropped)).toBeNull();
    const hash = await send({ value: '0x2' });
    expect(await setup.ask({ do: 'find', hash })).toEqual({ kind: 'found', from: ONE, nonce: 0 });
    await setup.ask({ do: 'pool', fault: { id: 'a', action: 'hold', from: ONE } });
    expect(await mine()).toEqual([]);
    expect(await ask('eth_getTransactionByHash', hash)).not.toBeNull();
    await setup.ask({ do: 'pool', fault: { id: 'a', action: 'replace', from: ONE } });
    const [replacement] = await mine();
    expect(await ask('eth_getTransactionByHash', replacement)).toMatchObject({ from: ONE, to: ONE, nonce: '0x0' });
    expect(setup.met).toEqual([
      { fault: 'a', nonce: 0, isOver: true },
      { fault: 'a', nonce: 0, isOver: false },
      { fault: 'a', nonce: 0, isOver: true },
    ]);
    const replace = { do: 'pool', fault: { id: 'b', action: 'replace', from: STRANGER } } as const;
    await expect(setup.ask(replace)).rejects.toThrow('its key is not known');
  }, 120_000);

  it('holds blobs back, and drops them in a reorganisation', async () => {
    const hash = await setup.send(await withBlobs(0, 0, 'one'));
    await setup.ask({ do: 'pool', fault: { id: 'a', action: 'hold', from: ONE, nonce: 0 } });
    expect(await mine()).toEqual([]);
    await setup.ask({ do: 'keep-pool', ids: [] });
    expect(await mine()).toEqual([hash]);
    expect((await setup.get('beacon/blobs/2')).data).toHaveLength(1);
    expect(await setup.ask({ do: 'reorg', depth: 1, drop: [hash] })).toMatchObject({ sent: 0, refused: 0 });
    expect(await ask('eth_getTransactionByHash', hash)).toBeNull();
    expect(await ask('eth_getCode', INBOX, 'latest')).toBe('0x');
    expect(await mine()).toEqual([]);
  }, 120_000);
});

function receiptOf(hash: Hex): Promise<{ readonly contractAddress: Hex }> {
  return ask('eth_getTransactionReceipt', hash);
}
