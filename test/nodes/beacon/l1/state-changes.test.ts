import { afterEach, expect, it, vi } from 'vitest';
import { quantity } from '../../../../src/protocol/hex.ts';
import { manualClock, until } from '../../batcher/helpers.ts';
import { ACCOUNTS, GENESIS_TIME, temporaryFolder } from '../anvil.ts';
import { endAll, SLOT, startBeaconOnAnvil } from '../beacon-on-anvil.ts';

const [from] = ACCOUNTS;
const rich = '0x00000000000000000000000000000000000000aa';
const other = '0x00000000000000000000000000000000000000bb';
const contract = '0x00000000000000000000000000000000000000cc';
/** Returns 7. */
const CODE = '0x600760005260206000f3';
const WORD = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

afterEach(endAll);

/** A beacon on a new anvil, or on one that is made again from the data folder. */
async function l1(datadir = temporaryFolder(), clock = manualClock(GENESIS_TIME)) {
  const started = await startBeaconOnAnvil(datadir, clock);
  const { call, ask } = started;
  const mineTo = async (slot: number) => {
    clock.moveTo(GENESIS_TIME + slot * SLOT);
    const newest = () => call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
    await until(`slot ${slot}`, async () => Number((await newest()).timestamp) === GENESIS_TIME + slot * SLOT);
  };
  /** The gate changes L1 when the beacon has the newest block, too. */
  const change = <T>(method: string, ...params: unknown[]) =>
    vi.waitFor(() => ask<T>(method, ...params), { timeout: 20_000 });
  const state = async () => ({
    rich: await call('eth_getBalance', rich, 'latest'),
    other: await call('eth_getBalance', other, 'latest'),
    nonce: await call('eth_getTransactionCount', other, 'latest'),
    code: await call('eth_getCode', contract, 'latest'),
    slot: await call('eth_getStorageAt', contract, '0x5', 'latest'),
  });
  return { ...started, datadir, clock, mineTo, change, state };
}

/** Changes of each kind between blocks that depend on them, and after the last one. */
async function changedL1() {
  const first = await l1();
  const { change, mineTo, call } = first;
  await change('anvil_setBalance', rich, quantity(10 ** 18));
  await mineTo(1);
  await change('hardhat_setCode', contract, CODE);
  await change('anvil_setStorageAt', contract, '0x5', WORD(9));
  await change('tenderly_addBalance', other, '0x5');
  await change('tenderly_addBalance', other, '0x6');
  await call('anvil_impersonateAccount', rich);
  await call('eth_sendTransaction', { from: rich, to: other, value: '0x7' });
  await mineTo(3);
  await change('anvil_setNonce', other, '0x20');
  await mineTo(4);
  await change('anvil_setBalance', other, '0x99');
  const state = await first.state();
  expect(state).toMatchObject({ other: '0x99', nonce: '0x20', code: CODE, slot: WORD(9) });
  return { ...first, expected: { head: await first.head(), state } };
}

it('a rebuilt L1 has the state changes without transactions, and the same blocks', async () => {
  const { datadir, clock, expected } = await changedL1();
  await endAll();
  const again = await l1(datadir, clock);
  await until('the head', async () => (await again.head()) === expected.head);
  await vi.waitFor(async () => expect(await again.state()).toEqual(expected.state), { timeout: 20_000 });
  expect(again.lines.join('\n')).not.toContain('came out different');
  await again.mineTo(5);
  const next = await again.head();
  await endAll();
  const third = await l1(datadir, clock);
  await until('the next head', async () => (await third.head()) === next);
});

it('a killed L1 gets the state changes that its saved state lacks', async () => {
  const { anvil, begin, lines, keep, change, mineTo, clock, head } = await changedL1();
  await vi.waitFor(keep, { timeout: 20_000 });
  await change('tenderly_addBalance', other, '0x1');
  await mineTo(5);
  const last = await head();
  await anvil.kill();
  clock.moveTo(GENESIS_TIME + 6 * SLOT);
  await until('the loss of L1', async () => lines.some((line) => line.includes('L1 does not answer')));
  const again = await begin(anvil.port);
  // Before it, L1 has an empty block of this number for a moment, which gives it the hashes of the others.
  await until('the same block 5', async () => {
    const block = await again.rpc.call<{ hash: string } | null>('eth_getBlockByNumber', [quantity(5), false]);
    return block?.hash === last;
  });
  expect(await again.rpc.call('eth_getBalance', [other, 'latest'])).toBe('0x9a');
});

it('a state change during mining is journalled on the right side of each block', async () => {
  const { datadir, clock, mineTo, change, head, call } = await l1();
  await mineTo(1);
  const slots = Array.from({ length: 12 }, (_, index) => index + 2);
  await Promise.all([
    ...Array.from({ length: 60 }, (_, index) => change('anvil_setBalance', other, quantity(index + 1))),
    (async () => {
      for (const slot of slots) await mineTo(slot);
    })(),
  ]);
  await mineTo(20);
  const expected = await head();
  const balance = await call('eth_getBalance', other, 'latest');
  await endAll();
  const again = await l1(datadir, clock);
  await until('the head', async () => (await again.head()) === expected);
  expect(await again.call('eth_getBalance', other, 'latest')).toBe(balance);
});

it('an L1 that was rolled back has the state changes after its new head', async () => {
  const { datadir, clock, mineTo, change, call, head } = await l1();
  await mineTo(1);
  await change('anvil_setBalance', other, '0x10');
  await mineTo(3);
  await change('anvil_setBalance', other, '0x30');
  await mineTo(4);
  await call('anvil_rollback', 3);
  await mineTo(6);
  const expected = await head();
  expect(await call('eth_getBalance', other, 'latest')).toBe('0x10');
  await endAll();
  const again = await l1(datadir, clock);
  await until('the head', async () => (await again.head()) === expected);
  expect(await again.call('eth_getBalance', other, 'latest')).toBe('0x10');
});

it('L1 keeps the state changes before a checkpoint that it restores, and drops later ones', async () => {
  const { clock, mineTo, change, call, checkpoints, keep, anvil, begin, lines } = await l1();
  await mineTo(2);
  await change('anvil_setBalance', other, '0x10');
  await checkpoints.take(1);
  await change('anvil_setBalance', other, '0x20');
  await change('anvil_setBalance', rich, '0x1');
  await keep();
  await checkpoints.suspend(1);
  await checkpoints.restore(1);
  await checkpoints.resume(1);
  expect(await call('eth_getBalance', other, 'latest')).toBe('0x10');
  await anvil.kill();
  clock.moveTo(GENESIS_TIME + 3 * SLOT);
  await until('the loss of L1', async () => lines.some((line) => line.includes('L1 does not answer')));
  const again = await begin(anvil.port);
  await until('block 3', async () => Number(await again.rpc.call('eth_blockNumber')) === 3);
  expect(await again.rpc.call('eth_getBalance', [other, 'latest'])).toBe('0x10');
  expect(await again.rpc.call('eth_getBalance', [rich, 'latest'])).toBe('0x0');
});

it('a state change that L1 rejects gets the answer of L1, and is not journalled', async () => {
  const { ask, change, mineTo, datadir, clock, head } = await l1();
  await change('anvil_setBalance', from?.address, quantity(10 ** 18));
  await expect(ask('anvil_setBalance', 'nobody', '0x1')).rejects.toThrow();
  await expect(ask('anvil_addBalance', 7, '0x1')).rejects.toThrow('expected an address, found 7');
  await mineTo(1);
  const expected = await head();
  await endAll();
  const again = await l1(datadir, clock);
  await until('the head', async () => (await again.head()) === expected);
  expect(again.lines.join('\n')).not.toContain('rejected a change');
});
