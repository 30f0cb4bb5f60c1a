import { afterEach, expect, it, vi } from 'vitest';
import { restoreBlockHashes } from '../../../../src/nodes/beacon/l1/block-hashes.ts';
import { quantity } from '../../../../src/protocol/hex.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { manualClock, until } from '../../batcher/helpers.ts';
import { GENESIS_TIME, startAnvil, temporaryFolder } from '../anvil.ts';
import { endAll, SLOT, startBeaconOnAnvil } from '../beacon-on-anvil.ts';

afterEach(endAll);

/** Seconds of a century. No L2 block has a time so far after that of its L1 origin. */
const CENTURY = 100 * 365 * 86_400;

/** Keeps the state of an L1 of three blocks in a folder. */
async function keptAtThree() {
  const datadir = temporaryFolder();
  const clock = manualClock(GENESIS_TIME);
  const l1 = await startBeaconOnAnvil(datadir, clock);
  clock.moveTo(GENESIS_TIME + 3 * SLOT);
  await until('block 3', async () => (await l1.call('eth_blockNumber')) === quantity(3));
  await vi.waitFor(l1.keep, { timeout: 20_000 });
  const head = await l1.head();
  return { datadir, clock, l1, head };
}

it('a client of a new L1 gets no block by subscription that can be the origin of an L2 block', async () => {
  const { datadir, head } = await keptAtThree();
  await endAll();
  const anvil = await startAnvil({ state: `${datadir}/l1-state.json` });
  const reader = webSocketClient({ url: anvil.url.replace('http', 'ws') });
  try {
    const heads: { timestamp: string }[] = [];
    await reader.subscribe(
      ['newHeads'],
      (item) => heads.push(item as { timestamp: string }),
      () => {},
    );
    expect(await restoreBlockHashes(anvil.rpc)).toBe(true);
    expect(await reader.call('eth_getBlockByNumber', ['latest', false])).toMatchObject({ hash: head });
    const time = quantity(GENESIS_TIME + 4 * SLOT);
    expect(await anvil.rpc.call('evm_mine_detailed', [{ timestamp: time }])).toMatchObject([
      { number: '0x4', parentHash: head, timestamp: time },
    ]);
    // anvil announces blocks in their order. On a busy machine it passes over one that is rolled back at once.
    await until('block 4', async () => heads.some(({ timestamp }) => Number(timestamp) === Number(time)));
    const others = heads.map(({ timestamp }) => Number(timestamp)).filter((each) => each !== Number(time));
    expect(others.filter((each) => each <= GENESIS_TIME + CENTURY)).toEqual([]);
    expect(await restoreBlockHashes(anvil.rpc)).toBe(false);
  } finally {
    reader.close();
    await anvil.kill();
  }
});

it('a step of the clock does not wait for rollup nodes to report a head that L1 has not announced', async () => {
  const { clock, l1, head } = await keptAtThree();
  expect(l1.report()).toEqual({ kind: 'beacon', l1: head, number: 3 });
  await l1.anvil.kill();
  await l1.begin(l1.anvil.port);
  expect(await l1.ask('eth_blockNumber')).toBe('0x3');
  expect(l1.report()).toEqual({ kind: 'beacon', number: 3 });
  clock.moveTo(GENESIS_TIME + 4 * SLOT);
  await until('block 4', async () => (await l1.call('eth_blockNumber')) === quantity(4));
  await until('its report', async () => (l1.report() as { number: number }).number === 4);
  expect(l1.report()).toEqual({ kind: 'beacon', l1: await l1.head(), number: 4 });
});
