import { afterEach, expect, it } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { manualClock, until } from '../../batcher/helpers.ts';
import { GENESIS_TIME, temporaryFolder } from '../anvil.ts';
import { endAll, SLOT, startBeaconOnAnvil } from '../beacon-on-anvil.ts';

afterEach(endAll);

const ONE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

interface Block {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly miner: Hex;
  readonly transactions: readonly Hex[];
}

/** Starts an L1 on a clock of its own. */
async function l1(datadir = temporaryFolder(), slots = 0) {
  const clock = manualClock(GENESIS_TIME + slots * SLOT);
  const started = await startBeaconOnAnvil(datadir, clock);
  const block = (which: string | number) =>
    started.call<Block | null>(
      'eth_getBlockByNumber',
      typeof which === 'string' ? which : `0x${which.toString(16)}`,
      false,
    );
  const latest = async () => (await block('latest'))!;
  const mineTo = async (slot: number) => {
    const time = GENESIS_TIME + slot * SLOT;
    clock.moveTo(time);
    await until(`slot ${slot}`, async () => Number((await latest()).timestamp) === time);
  };
  const send = (from: string) => started.call<Hex>('eth_sendTransaction', { from, to: OTHER, value: '0x1' });
  await until('L1', () => started.lines.some((line) => /Drives L1/.test(line)));
  return { ...started, clock, block, latest, mineTo, send, datadir };
}

const reorg = (depth: number, drop: readonly Hex[] = [], final = 0) => ({ do: 'reorg', depth, drop, final }) as const;

it('a reorganisation replaces blocks in their slots, with their transactions but for those that it drops', async () => {
  const { l1: ask, block, latest, mineTo, send, call, datadir } = await l1();
  await mineTo(3);
  const [kept, dropped] = [await send(ONE), await send(OTHER)];
  await mineTo(4);
  await mineTo(5);
  const before = await Promise.all([3, 4, 5].map(block));
  expect(await ask(reorg(2, [dropped]))).toEqual({
    kind: 'reorganised',
    common: { number: 3, hash: before[0]?.hash },
    from: { number: 5, hash: before[2]?.hash },
    to: { number: 5, hash: (await latest()).hash },
    sent: 1,
    refused: 0,
  });
  const after = await Promise.all([3, 4, 5].map(block));
  expect(after.map((each) => each?.timestamp)).toEqual(before.map((each) => each?.timestamp));
  expect(after.map((each, at) => each?.hash === before[at]?.hash)).toEqual([true, false, false]);
  expect(after[1]?.transactions).toEqual([kept]);
  expect(await call('eth_getTransactionByHash', dropped)).toBeNull();
  // The next reorganisation makes others again, and the blocks after it are the usual ones.
  await ask(reorg(2));
  expect((await latest()).hash).not.toBe(after[2]?.hash);
  expect((await latest()).hash).not.toBe(before[2]?.hash);
  await mineTo(6);
  expect((await latest()).miner).toBe(before[0]?.miner);
  // A new L1 has the replaced blocks.
  const { hash } = await latest();
  await endAll();
  const again = await l1(datadir, 6);
  expect((await again.latest()).hash).toBe(hash);
});

it('a reorganisation is refused below finality, deeper than the chain, and without its transaction', async () => {
  const { l1: ask, latest, mineTo } = await l1();
  await mineTo(5);
  const { hash } = await latest();
  const refused = (why: object) => ({ kind: 'refused', why });
  expect(await ask(reorg(6))).toEqual(refused({ kind: 'depth', head: 5 }));
  expect(await ask(reorg(4, [], 2))).toEqual(refused({ kind: 'final', head: 5, final: 2 }));
  const absent: Hex = `0x${'ab'.repeat(32)}`;
  expect(await ask(reorg(1, [absent]))).toEqual(refused({ kind: 'transaction', hash: absent }));
  expect((await latest()).hash).toBe(hash);
});

it('an L1 that is stalled makes no block, and its empty slots get none afterwards', async () => {
  const { l1: ask, latest, mineTo, clock, report, lines } = await l1();
  await mineTo(2);
  expect(await ask({ do: 'stall', until: null })).toEqual({ kind: 'stalled' });
  clock.moveTo(GENESIS_TIME + 6 * SLOT);
  expect(await ask({ do: 'stall', until: (GENESIS_TIME + 8 * SLOT) * 1000 })).toEqual({ kind: 'stalled' });
  clock.moveTo(GENESIS_TIME + 8 * SLOT - 1);
  // A request that follows is answered after a block that was under way.
  await ask(reorg(9));
  expect(report()).toMatchObject({ number: 2 });
  await mineTo(8);
  expect(Number((await latest()).number)).toBe(3);
  expect(lines.some((line) => /Slots were missed.*slots=5/.test(line))).toBe(true);
});

it('an L1 that starts during a stall makes no block before it knows of it', async () => {
  const clock = manualClock(GENESIS_TIME);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { l1: ask, ...started } = await startBeaconOnAnvil(temporaryFolder(), { ...clock, opened });
  const number = async () => Number((await started.call<Block>('eth_getBlockByNumber', 'latest', false)).number);
  clock.moveTo(GENESIS_TIME + 4 * SLOT);
  // As many answers of L1 as the blocks of four slots need.
  for (let count = 0; count < 100; count++) expect(await number()).toBe(0);
  const stalled = ask({ do: 'stall', until: null });
  open();
  expect(await stalled).toEqual({ kind: 'stalled' });
  await until('L1', () => started.lines.some((line) => /Drives L1/.test(line)));
  // It is answered after a block that was under way.
  await ask(reorg(1));
  expect(await number()).toBe(0);
  await ask({ do: 'stall', until: 0 });
  await until('the block of the slot', async () => (await number()) > 0);
});
