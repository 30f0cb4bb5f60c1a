import { afterEach, expect, it } from 'vitest';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { manualClock, until } from '../../../batcher/helpers.ts';
import { GENESIS_TIME, temporaryFolder } from '../../anvil.ts';
import { endAll, SLOT, startBeaconOnAnvil } from '../../beacon-on-anvil.ts';

afterEach(endAll);

const ONE: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const OTHER: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Asks which faults there are. */
const ALL = { do: 'keep-pool', ids: ['a', 'b'] } as const;

interface Block {
  readonly timestamp: Hex;
  readonly transactions: readonly { readonly hash: Hex; readonly from: Hex; readonly to: Hex }[];
}

async function l1() {
  const clock = manualClock(GENESIS_TIME);
  const started = await startBeaconOnAnvil(temporaryFolder(), clock);
  const latest = () => started.call<Block>('eth_getBlockByNumber', 'latest', true);
  let slot = 0;
  /** Makes the next block, and returns the hashes of its transactions. */
  const mine = async () => {
    const time = GENESIS_TIME + ++slot * SLOT;
    clock.moveTo(time);
    await until(`slot ${slot}`, async () => Number((await latest()).timestamp) === time);
    // The pool is as after a block when the beacon answers again.
    await started.l1(ALL);
    return (await latest()).transactions;
  };
  await until('L1', () => started.lines.some((line) => /Drives L1/.test(line)));
  const send = (from: Hex, more: object = {}) =>
    started.call<Hex>('eth_sendTransaction', { from, to: OTHER, value: '0x1', ...more });
  const isPooled = async (hash: Hex) => (await started.call('eth_getTransactionByHash', hash)) !== null;
  return { ...started, mine, send, isPooled, latest };
}

const hashes = (transactions: Block['transactions']) => transactions.map(({ hash }) => hash);

it('a fault drops the next transaction of a sender, and no other one', async () => {
  const { l1: ask, mine, send, isPooled, call, met } = await l1();
  expect(await ask({ do: 'pool', fault: { id: 'a', action: 'drop', from: ONE } })).toEqual({
    kind: 'pool-faults',
    faults: [{ id: 'a', action: 'drop', from: ONE.toLowerCase() }],
  });
  expect(hashes(await mine())).toEqual([]);
  const [dropped, other] = [await send(ONE), await send(OTHER)];
  expect(hashes(await mine())).toEqual([other]);
  expect(await isPooled(dropped)).toBe(false);
  expect(await ask(ALL)).toEqual({ kind: 'pool-faults', faults: [] });
  expect(met).toEqual([{ fault: 'a', nonce: 0, isOver: true }]);
  const next = await send(ONE, { value: '0x2' });
  expect(hashes(await mine())).toEqual([next]);
  // A transaction after the one that is dropped waits for its nonce.
  await ask({ do: 'pool', fault: { id: 'b', action: 'drop', from: ONE } });
  const [, later] = [await send(ONE), await send(ONE)];
  expect(hashes(await mine())).toEqual([]);
  expect(await call('txpool_content')).toMatchObject({ queued: { [ONE.toLowerCase()]: { 2: { hash: later } } } });
});

it('a fault replaces a transaction by one of its sender with the same nonce', async () => {
  const { l1: ask, mine, send, isPooled, call } = await l1();
  const absent: Hex = `0x${'ab'.repeat(32)}`;
  expect(await ask({ do: 'find', hash: absent })).toEqual({
    kind: 'refused',
    why: { kind: 'transaction', hash: absent },
  });
  const before = Number(await call('eth_getTransactionCount', ONE, 'latest'));
  const hash = await send(ONE);
  expect(await ask({ do: 'find', hash })).toEqual({ kind: 'found', from: ONE.toLowerCase(), nonce: 0 });
  await ask({ do: 'pool', fault: { id: 'a', action: 'replace', from: ONE, nonce: 0 } });
  expect(await mine()).toMatchObject([{ from: ONE.toLowerCase(), to: ONE.toLowerCase() }]);
  expect(await isPooled(hash)).toBe(false);
  expect(Number(await call('eth_getTransactionCount', ONE, 'latest'))).toBe(before + 1);
});

it('a held transaction stays in the pool and in no block, its replacement too, until it is healed', async () => {
  const { l1: ask, mine, send, isPooled, met } = await l1();
  const hash = await send(ONE);
  await ask({ do: 'pool', fault: { id: 'a', action: 'hold', from: ONE } });
  expect(hashes(await mine())).toEqual([]);
  expect(await isPooled(hash)).toBe(true);
  const nonce = '0x0';
  const replacement = await send(ONE, { nonce, maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x12a05f200' });
  expect(hashes(await mine())).toEqual([]);
  expect([await isPooled(hash), await isPooled(replacement)]).toEqual([false, true]);
  expect(met).toEqual([{ fault: 'a', nonce: 0, isOver: false }]);
  expect(await ask({ do: 'keep-pool', ids: [] })).toEqual({ kind: 'pool-faults', faults: [] });
  expect(hashes(await mine())).toEqual([replacement]);
});

it('a transaction that is held for some time is in the first block after it', async () => {
  const { l1: ask, mine, send } = await l1();
  const hash = await send(ONE);
  const until = (GENESIS_TIME + 3 * SLOT) * 1000;
  await ask({ do: 'pool', fault: { id: 'a', action: 'hold', from: ONE, nonce: 0, until } });
  expect([await mine(), await mine()].map(hashes)).toEqual([[], []]);
  expect(hashes(await mine())).toEqual([hash]);
});
