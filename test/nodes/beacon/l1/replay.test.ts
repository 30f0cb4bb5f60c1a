import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { openJournal } from '../../../../src/nodes/beacon/chain/journal.ts';
import { startBeacon } from '../../../../src/nodes/beacon/service.ts';
import type { L1Hardfork } from '../../../../src/protocol/genesis/inputs.ts';
import { quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { manualClock, memoryLog, until } from '../../batcher/helpers.ts';
import { GENESIS_TIME, temporaryFolder } from '../anvil.ts';
import { beaconConfig, endAll, SLOT, startBeaconOnAnvil } from '../beacon-on-anvil.ts';
import { l1History, type Pick } from '../l1-history.ts';

/** Blocks before the first transaction, so that all 256 hashes of a block are of blocks. */
const EMPTY = 260;
const SLOTS = 24;

afterEach(endAll);

/** A linear congruential generator. */
function picks(seed: number): Pick {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** An L1 on a clock of its own. */
async function l1(datadir: string, hardfork: L1Hardfork, clock = manualClock(GENESIS_TIME)) {
  const started = await startBeaconOnAnvil(datadir, clock, { trustsBlobs: true, hardfork, maxCatchUp: 2 * EMPTY });
  const mineTo = async (slot: number) => {
    clock.moveTo(GENESIS_TIME + slot * SLOT);
    const time = quantity(GENESIS_TIME + slot * SLOT);
    const newest = () => started.call<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false);
    await until(`slot ${slot}`, async () => (await newest()).timestamp === time);
  };
  return { ...started, clock, mineTo };
}

/** The files of a kept state. */
const STATE_FILES = ['l1-state.json', 'l1-pool.json'];

/** A kept state, and the length of the journal when it was kept. */
interface State {
  readonly lines: number;
  readonly folder: string;
}

const linesOf = (folder: string) => readFileSync(`${folder}/l1.jsonl`, 'utf8').split('\n').slice(0, -1);

/** Returns the length of the journal up to the first reorganisation below a state, with which the beacon removes it. */
function endOf(folder: string, { lines, folder: state }: State): number {
  const { number } = JSON.parse(readFileSync(`${state}/l1-pool.json`, 'utf8')) as { number: number };
  const all = linesOf(folder);
  const at = all.findIndex((line, index) => {
    const { rollback } = JSON.parse(line) as { rollback?: number };
    return index >= lines && rollback !== undefined && rollback < number;
  });
  return at === -1 ? all.length : at;
}

/** Makes a history, and returns its folder with the states that were kept, each with the journal's length then. */
async function historyOf(seed: number, hardfork: L1Hardfork) {
  const pick = picks(seed);
  const folder = temporaryFolder();
  const { ask, mineTo, keep } = await l1(folder, hardfork);
  const { begin, readHashes, act, names } = l1History(ask, pick);
  const states: State[] = [];
  await mineTo(EMPTY);
  let slot = EMPTY;
  await begin(() => mineTo(++slot));
  const kinds = names.filter((name) => hardfork !== 'cancun' || name !== 'delegation');
  for (let at = 0; at < SLOTS; at++) {
    // Each kind comes once, then any.
    for (const kind of [kinds[at % kinds.length]!, kinds[pick(kinds.length)]!]) await act(kind);
    await readHashes();
    if (at % 5 === 3) {
      await vi.waitFor(keep, { timeout: 20_000 });
      const copy = temporaryFolder();
      for (const file of STATE_FILES) copyFileSync(`${folder}/${file}`, `${copy}/${file}`);
      states.push({ lines: linesOf(folder).length, folder: copy });
    }
    if (at % 8 === 6) await ask('anvil_rollback', 1 + pick(7));
    if (at % 8 === 2) await ask('anvil_reorg', 1 + pick(7), []);
    // The state is kept while a block is made.
    if (at % 5 === 1) await Promise.all([mineTo(++slot), keep().catch(() => undefined)]);
    else await mineTo(++slot);
  }
  await endAll();
  return { folder, states, pick };
}

/** Copies a folder with the first lines of its journal, and part of the next one. */
function cutAt(folder: string, lines: number): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  const all = readFileSync(`${folder}/l1.jsonl`, 'utf8').split('\n');
  const part = all[lines]?.slice(0, 20) ?? '';
  writeFileSync(`${copy}/l1.jsonl`, `${all.slice(0, lines).join('\n')}\n${part}`);
  for (const file of STATE_FILES) rmSync(`${copy}/${file}`, { force: true });
  return copy;
}

/** Returns the hash of each block of a journal. */
function journalOf(folder: string): readonly Hex[] {
  const journal = openJournal(folder);
  try {
    return journal.read().blocks.map(({ hash }) => hash);
  } finally {
    journal.close();
  }
}

it.each([
  ['cancun', 1],
  ['prague', 2],
  ['osaka', 4],
] as const)(
  'a journal that is truncated anywhere is replayed to the same blocks (%s, seed %i)',
  async (hardfork, seed) => {
    const { folder, states, pick } = await historyOf(seed, hardfork);
    const total = linesOf(folder).length;
    const cuts: { readonly lines: number; readonly state?: State }[] = [
      { lines: total },
      { lines: EMPTY + 3 + pick(total - EMPTY - 3) },
    ];
    for (const state of states) {
      const end = endOf(folder, state);
      cuts.push({ lines: end, state });
      cuts.push({ lines: state.lines + pick(end - state.lines), state });
    }
    for (const { lines, state } of cuts) {
      const copy = cutAt(folder, lines);
      const expected = journalOf(copy);
      if (state !== undefined)
        for (const file of STATE_FILES) copyFileSync(`${state.folder}/${file}`, `${copy}/${file}`);
      const what = `cut at line ${lines} of ${total}${state === undefined ? '' : ', upon a kept state'}`;
      const again = await l1(copy, hardfork);
      await until(what, () => again.lines.some((line) => /Drives L1/.test(line)));
      expect(
        again.lines.filter((line) => /came out different|lvl=error|lvl=warn/.test(line)),
        what,
      ).toEqual([]);
      const hashes: Hex[] = [];
      for (let number = 1; number <= expected.length; number++)
        hashes.push((await again.call<{ hash: Hex }>('eth_getBlockByNumber', quantity(number), false)).hash);
      expect(hashes, what).toEqual(expected);
      expect(existsSync(`${copy}/l1-state.json`), what).toBe(state !== undefined);
      await endAll();
    }
  },
);

it.each([
  ['anvil_rollback', 'after a slot', 1],
  ['anvil_reorg', 'at once', 0],
])('after %s, the base fee of the next block follows from its parent (%s)', async (method, _when, slots) => {
  const { ask, mineTo, call } = await l1(temporaryFolder(), 'prague');
  const baseFee = async (number: number) =>
    Number((await call<{ baseFeePerGas: Hex }>('eth_getBlockByNumber', quantity(number), false)).baseFeePerGas);
  await mineTo(9);
  const expected = await baseFee(6);
  await ask(method, 4, ...(method === 'anvil_reorg' ? [[]] : []));
  if (slots > 0) await mineTo(10);
  expect(await baseFee(6)).toBe(expected);
});

it('after a rollback, which L1 does not announce, no step of the clock waits for its head', async () => {
  const { ask, mineTo, head, report } = await l1(temporaryFolder(), 'prague');
  await mineTo(6);
  await vi.waitFor(async () => expect(report()).toEqual({ kind: 'beacon', l1: await head(), number: 6 }), {
    timeout: 20_000,
  });
  await ask('anvil_rollback', 3);
  expect(report()).toEqual({ kind: 'beacon', number: 3 });
  await mineTo(7);
  await vi.waitFor(async () => expect(report()).toEqual({ kind: 'beacon', l1: await head(), number: 7 }), {
    timeout: 20_000,
  });
});

it('a reorganisation below the oldest block with a state is refused, with the reason', async () => {
  const folder = temporaryFolder();
  const clock = manualClock(GENESIS_TIME);
  const first = await l1(folder, 'prague', clock);
  await first.mineTo(6);
  await vi.waitFor(first.keep, { timeout: 20_000 });
  await endAll();
  const { ask, mineTo, head } = await l1(folder, 'prague', clock);
  await mineTo(8);
  const before = await head();
  await expect(ask('anvil_reorg', 5, [])).rejects.toThrow(/L1 has no state 5 blocks below its head.*reorganise fewer/);
  expect(await head()).toBe(before);
  await mineTo(9);
});

it('a beacon that is killed while L1 fills its history of block hashes leaves no block', async () => {
  const folder = temporaryFolder();
  const first = await l1(folder, 'prague');
  await first.mineTo(4);
  const head = await first.head();
  await first.beacon.stop();
  await first.call('evm_setBlockGasLimit', '0x0');
  await first.call('evm_mine_detailed', { timestamp: quantity(GENESIS_TIME + 5 * SLOT) });
  expect(await first.head()).not.toBe(head);
  const { log, lines } = memoryLog();
  const beacon = await startBeacon(beaconConfig({ l1: first.anvil.url, datadir: folder }), first.clock, log);
  try {
    await until('L1 to be driven', () => lines.some((line) => line.includes('Drives L1')));
    expect(await first.head()).toBe(head);
    await first.mineTo(5);
    expect(await first.call('eth_getBlockByNumber', '0x5', false)).toMatchObject({ gasLimit: '0x1c9c380' });
  } finally {
    await beacon.stop();
  }
});
