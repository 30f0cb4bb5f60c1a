import { existsSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { SlotChain } from '../../../src/nodes/beacon/chain/chain.ts';
import { testMethods, unsupervisedMethods } from '../../../src/nodes/beacon/test-methods.ts';
import { type Channel, UNSUPERVISED } from '../../../src/system/channel/channel.ts';
import type { CheckpointOrder } from '../../../src/system/channel/messages.ts';
import { manualClock } from '../batcher/helpers.ts';
import { GENESIS_TIME, temporaryFolder } from './anvil.ts';
import { endAll, startBeaconOnAnvil } from './beacon-on-anvil.ts';

const GENESIS = 1_800_000_000;
const SLOT = 2;

/** The methods at one second past slot 5. `moves`: the times (s after genesis) to which they have moved the clock. */
function setup() {
  const moves: number[] = [];
  const orders: CheckpointOrder[] = [];
  const hash = `0x${'00'.repeat(32)}` as const;
  const chain = new SlotChain({ number: 0, hash, parentHash: hash, timestamp: GENESIS }, SLOT);
  const move = async (to: number) => {
    moves.push(to / 1000 - GENESIS);
    return to;
  };
  const checkpoint = async (order: CheckpointOrder) => {
    orders.push(order);
    return order.action === 'take' ? 17 : Number(order.number === 17);
  };
  const methods = testMethods(manualClock(GENESIS + 5 * SLOT + 1), { move, checkpoint }, () => chain);
  const call = async (method: string, ...params: readonly unknown[]) =>
    methods[method]?.({ method, params, pass: async () => 'passed' });
  return { moves, orders, call };
}

it.each<[string, readonly unknown[], number]>([
  ['evm_mine', [], 12],
  ['hardhat_mine', ['0x3'], 16],
  ['evm_increaseTime', [30], 41],
  ['evm_setNextBlockTimestamp', [GENESIS + 100], 100],
])('%s moves the clock of the whole network', async (method, params, to) => {
  const { moves, call } = setup();
  await call(method, ...params);
  expect(moves).toEqual([to]);
});

it.each(['evm', 'anvil'])('%s_snapshot and revert act on the whole network', async (prefix) => {
  const { orders, call } = setup();
  expect(await call(`${prefix}_snapshot`)).toBe('0x11');
  expect(await call(`${prefix}_revert`, '0x11')).toBe(true);
  expect(await call(`${prefix}_revert`, '0x12')).toBe(false);
  await expect(call(`${prefix}_revert`, 'x')).rejects.toThrow('the id of a snapshot');
  expect(orders.map((order) => (order.action === 'take' ? 'take' : order.number))).toEqual(['take', 17, 18]);
});

it.each([
  ['evm_mine_detailed', [{}]],
  ...[
    'setAutomine',
    'setIntervalMining',
    'setTime',
    'setBlockTimestampInterval',
    'removeBlockTimestampInterval',
  ].flatMap((name) => [
    [`evm_${name}`, [1]],
    [`anvil_${name}`, [1]],
  ]),
] as [string, readonly unknown[]][])('%s is refused, with the method that works instead', async (method, params) => {
  const { moves, call } = setup();
  await expect(call(method, ...params)).rejects.toThrow(`${method} is not available`);
  await expect(call(method, ...params)).rejects.toThrow('devnet warp');
  expect(moves).toEqual([]);
});

afterAll(endAll);

it('the gate refuses each method that moves time or goes back when the network has no supervisor', async () => {
  const clock = { ...manualClock(GENESIS_TIME), ...UNSUPERVISED };
  const { ask, head } = await startBeaconOnAnvil(temporaryFolder(), clock);
  const before = await head();
  for (const method of Object.keys(unsupervisedMethods()))
    await expect(ask(method, 1), method).rejects.toThrow(`${method} is not available: it needs a supervisor`);
  expect(await head()).toBe(before);
  expect(await ask('eth_chainId')).toBe('0x384');
});

it('a network without a supervisor refuses the methods of a supervised one', () => {
  const supervised = testMethods(
    manualClock(GENESIS),
    { move: async () => 0, checkpoint: async () => 0 },
    () => undefined,
  );
  expect(Object.keys(unsupervisedMethods()).sort()).toEqual(Object.keys(supervised).sort());
});

it('L1 is kept whole at a stop without a supervisor, and with one its supervisor has it kept', async () => {
  const keptBy = async (clock: Channel) => {
    const folder = temporaryFolder();
    const { ask } = await startBeaconOnAnvil(folder, clock);
    // The gate answers when L1 is in step.
    await ask('eth_blockNumber');
    await endAll();
    return existsSync(`${folder}/l1-state.json`);
  };
  const clock = { ...manualClock(GENESIS_TIME), ...UNSUPERVISED };
  expect(await keptBy(clock)).toBe(true);
  expect(await keptBy({ ...clock, move: async () => 0, checkpoint: async () => 0 })).toBe(false);
});
