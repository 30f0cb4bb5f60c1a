import { existsSync, mkdirSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { openSavedState } from '../../../../src/nodes/beacon/l1/saved-state.ts';
import { quantity } from '../../../../src/protocol/hex.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { manualClock, until } from '../../batcher/helpers.ts';
import { ACCOUNTS, GENESIS_TIME, temporaryFolder } from '../anvil.ts';
import { endAll, SLOT, startBeaconOnAnvil } from '../beacon-on-anvil.ts';

const [from] = ACCOUNTS;
const other = '0x00000000000000000000000000000000000000bb';

afterEach(endAll);

it('a new L1 gets the state changes without transactions, and the pending transactions', async () => {
  const datadir = temporaryFolder();
  const clock = manualClock(GENESIS_TIME);
  const first = await startBeaconOnAnvil(datadir, clock);
  clock.moveTo(GENESIS_TIME + 3 * SLOT);
  await until('block 3', async () => (await first.call('eth_blockNumber')) === quantity(3));
  await first.call('anvil_setBalance', other, '0x77');
  clock.moveTo(GENESIS_TIME + 4 * SLOT);
  await until('block 4', async () => (await first.call('eth_blockNumber')) === quantity(4));
  const account = { from: from!.address, to: other, value: '0x1' };
  await first.call('eth_sendTransaction', account);
  // The journal has the block soon after L1.
  await vi.waitFor(() => first.keep(), { timeout: 20_000 });
  const head = await first.head();
  const transaction = await first.call<string>('eth_sendTransaction', { ...account, value: '0x5' });
  clock.moveTo(GENESIS_TIME + 5 * SLOT);
  await until('block 5', async () => (await first.call('eth_getTransactionReceipt', transaction)) !== null);
  const last = await first.head();
  await endAll();

  // The journal has a block more than the kept state: it is made again upon it.
  const second = await startBeaconOnAnvil(datadir, clock);
  await until('block 5', async () => (await second.head()) === last);
  expect(await second.call('eth_getBlockByNumber', '0x4', false)).toMatchObject({ hash: head });
  expect(await second.call('eth_getBalance', other, 'latest')).toBe(quantity(0x77 + 6));
});

it('L1 restores a checkpoint with its journal and its pool, and makes other blocks from there', async () => {
  const datadir = temporaryFolder();
  const clock = manualClock(GENESIS_TIME);
  const { call, head, checkpoints } = await startBeaconOnAnvil(datadir, clock);
  const mineTo = async (number: number) => {
    clock.moveTo(GENESIS_TIME + number * SLOT);
    await until(`block ${number}`, async () => (await call('eth_blockNumber')) === quantity(number));
  };
  await mineTo(2);
  const waiting = await call<string>('eth_sendTransaction', { from: from!.address, to: other, value: '0x7' });
  // The journal has the block soon after L1.
  await vi.waitFor(() => checkpoints.take(1), { timeout: 20_000 });
  const then = await head();
  const hashes = new Set<string>();
  for (let times = 1; times <= 3; times++) {
    await call('anvil_setBalance', other, quantity(times * 1000));
    await mineTo(4);
    expect(await call('eth_getBalance', other, 'latest')).toBe(quantity(times * 1000 + 7));
    expect(await call('eth_getTransactionReceipt', waiting)).toMatchObject({ blockNumber: '0x3' });
    hashes.add(await head());
    await checkpoints.suspend(1);
    await checkpoints.restore(1);
    clock.moveTo(GENESIS_TIME + 2 * SLOT);
    await checkpoints.resume(1);
    expect(await head()).toBe(then);
    expect(await call('eth_getBalance', other, 'latest')).toBe('0x0');
    expect(await call('txpool_status')).toMatchObject({ pending: '0x1', queued: '0x0' });
  }
  expect(hashes.size).toBe(3);
});

it('a transaction of an impersonated account is pending again after L1 has restored a checkpoint', async () => {
  const clock = manualClock(GENESIS_TIME);
  const { call, checkpoints } = await startBeaconOnAnvil(temporaryFolder(), clock);
  const mineTo = async (number: number) => {
    clock.moveTo(GENESIS_TIME + number * SLOT);
    await until(`block ${number}`, async () => (await call('eth_blockNumber')) === quantity(number));
  };
  await call('anvil_setBalance', other, quantity(10n ** 18n));
  await mineTo(2);
  await call('anvil_impersonateAccount', other);
  const sent = { to: from!.address, value: '0x7' };
  const waiting = [
    await call<string>('eth_sendTransaction', { ...sent, from: other }),
    await call<string>('eth_sendTransaction', { ...sent, from: from!.address }),
    await call<string>('eth_sendTransaction', { ...sent, from: other, nonce: '0x1' }),
  ];
  await call('anvil_stopImpersonatingAccount', other);
  // The journal has the block soon after L1.
  await vi.waitFor(() => checkpoints.take(1), { timeout: 20_000 });
  await mineTo(3);
  for (const hash of waiting) expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  await checkpoints.suspend(1);
  await checkpoints.restore(1);
  clock.moveTo(GENESIS_TIME + 2 * SLOT);
  await checkpoints.resume(1);
  expect(await call('txpool_status')).toMatchObject({ pending: '0x3', queued: '0x0' });
  await mineTo(3);
  const { transactions } = await call<{ transactions: string[] }>('eth_getBlockByNumber', '0x3', false);
  expect(transactions.toSorted()).toEqual(waiting.toSorted());
  expect(await call('eth_getTransactionCount', other, 'latest')).toBe('0x2');
});

/** Starts a beacon that keeps L1 at block 3, and has a transaction in block 5 of 6. */
async function keptAtThree(datadir: string) {
  const clock = manualClock(GENESIS_TIME);
  const l1 = await startBeaconOnAnvil(datadir, clock);
  const { call } = l1;
  const mineTo = async (number: number) => {
    clock.moveTo(GENESIS_TIME + number * SLOT);
    await until(`block ${number}`, async () => (await call('eth_blockNumber')) === quantity(number));
  };
  await mineTo(3);
  await call('anvil_setBalance', other, '0x77');
  await vi.waitFor(l1.keep, { timeout: 20_000 });
  await mineTo(4);
  await call('eth_sendTransaction', { from: from!.address, to: other, value: '0x5' });
  await mineTo(6);
  return { ...l1, clock };
}

it('a killed L1 gets every block again, also those after its saved state', async () => {
  const { anvil, begin, head, lines, clock } = await keptAtThree(temporaryFolder());
  const last = await head();
  await anvil.kill();
  // A slot comes while L1 is gone, so that the beacon connects anew.
  clock.moveTo(GENESIS_TIME + 7 * SLOT);
  await until('the loss of L1', async () => lines.some((line) => line.includes('L1 does not answer')));
  const again = await begin(anvil.port);
  await until('block 7', async () => (await again.rpc.call('eth_blockNumber')) === quantity(7));
  expect(await again.rpc.call('eth_getBlockByNumber', [quantity(6), false])).toMatchObject({ hash: last });
  expect(await again.rpc.call('eth_getBalance', [other, 'latest'])).toBe(quantity(0x77 + 5));
  expect(lines.join('\n')).not.toContain('L1 was reorganised');
});

it.each([
  ['below its kept state', 2, false],
  ['above it', 4, true],
])('a started L1 has no removed block when the last one was rolled back %s', async (_where, common, isKept) => {
  const datadir = temporaryFolder();
  const { call, clock } = await keptAtThree(datadir);
  await call('anvil_rollback', 6 - common);
  clock.moveTo(GENESIS_TIME + 7 * SLOT);
  const newest = () => call<{ hash: string; timestamp: string }>('eth_getBlockByNumber', 'latest', false);
  await until('slot 7', async () => Number((await newest()).timestamp) === GENESIS_TIME + 7 * SLOT);
  const { hash } = await newest();
  expect(existsSync(`${datadir}/l1-state.json`)).toBe(isKept);
  await endAll();

  const second = await startBeaconOnAnvil(datadir, clock);
  await until('slot 7', async () => (await second.head()) === hash);
});

it.each(['http', 'ws'] as const)(
  'a restarted L1 has its blocks again before the gate passes a request on, while the clock stands (%s)',
  async (transport) => {
    const clock = manualClock(GENESIS_TIME);
    const { anvil, begin, call, beacon, lines } = await startBeaconOnAnvil(temporaryFolder(), clock);
    clock.moveTo(GENESIS_TIME + 6 * SLOT);
    await until('block 6', async () => (await call('eth_blockNumber')) === quantity(6));
    await anvil.kill();
    await begin(anvil.port);
    const url = `${transport}://127.0.0.1:${beacon.gatePort}`;
    await using gate = disposable((transport === 'ws' ? webSocketClient : httpClient)({ url }));
    expect(await gate.call('eth_blockNumber')).toBe(quantity(6));
    expect(lines.join('\n')).toContain('L1 is where it was');
  },
);

it('transactions are pending on L1 again after a stop, also one of an impersonated account', async () => {
  const datadir = temporaryFolder();
  const clock = manualClock(GENESIS_TIME);
  const first = await startBeaconOnAnvil(datadir, clock);
  const rich = '0x00000000000000000000000000000000000000aa';
  await first.ask('anvil_setBalance', rich, quantity(10n ** 18n));
  clock.moveTo(GENESIS_TIME + 2 * SLOT);
  await until('block 2', async () => (await first.call('eth_blockNumber')) === quantity(2));
  const sent = { from: from!.address, to: other, value: '0x7' };
  const hash = await first.call<string>('eth_sendTransaction', sent);
  await first.call('eth_sendTransaction', { ...sent, nonce: '0x9' });
  await first.call('anvil_impersonateAccount', rich);
  const impersonated = await first.call<string>('eth_sendTransaction', { ...sent, from: rich });
  await endAll();
  const second = await startBeaconOnAnvil(datadir, clock);
  await until('the pool', async () => (await second.call<{ queued: string }>('txpool_status')).queued === '0x1');
  clock.moveTo(GENESIS_TIME + 3 * SLOT);
  await until('block 3', async () => (await second.call('eth_getTransactionReceipt', hash)) !== null);
  expect(await second.call('eth_getTransactionReceipt', impersonated)).toMatchObject({ status: '0x1' });
});

function disposable(client: RpcClient): RpcClient & AsyncDisposable {
  return { ...client, [Symbol.asyncDispose]: async () => client.close() };
}

it('pending transactions are saved when the state of L1 cannot be written', async () => {
  const datadir = temporaryFolder();
  const { anvil, call } = await startBeaconOnAnvil(datadir, manualClock(GENESIS_TIME));
  const waiting = await call<string>('eth_sendTransaction', { from: from!.address, to: other, value: '0x7' });
  // A folder stands at the state's path.
  mkdirSync(`${datadir}/state`);
  const file = openSavedState(`${datadir}/state`, datadir, anvil.rpc);
  const hash = `0x${'12'.repeat(32)}` as const;
  const block = { number: 3, hash, parentHash: hash, timestamp: GENESIS_TIME };
  await expect(file.keep(block)).rejects.toThrow('/state');
  await call('anvil_dropAllTransactions');
  expect(await call('eth_getTransactionByHash', waiting)).toBeNull();
  await file.sendPool(block);
  expect(await call('eth_getTransactionByHash', waiting)).toMatchObject({ hash: waiting, from: from!.address });
});
